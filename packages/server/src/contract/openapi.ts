import type { JsonObject } from '@countersign/protocol';
import { jsonObject } from '@countersign/protocol/schemas';
import { z } from 'zod';
import type { Operation } from './operation.js';
import { operations } from './operations.js';
import { OPERATION_NAMES, type OperationName, ROUTES } from './routes.js';

type JsonSchema = { readonly [key: string]: unknown };

/** The description of the whole interface, made from the schemas that validate requests and responses. */
export function openApiDocument(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const name of OPERATION_NAMES) {
    const [method = '', path = ''] = ROUTES[name].address.split(' ');
    const described = (paths[path] ??= {});
    described[method.toLowerCase()] = describe(name, path, operations[name]);
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description: 'Sessions, their events, and approvals over all sessions of one store.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ token: [] }, { cookie: [], secret: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'countersign',
          description:
            'Set by sign-in; its name ends with the port. Valid only together with the secret and, for changes, with Origin.',
        },
        secret: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Countersign',
          description: 'The secret that sign-in returned to this browser.',
        },
      },
      schemas: { Problem: schemaOf(problem) },
      responses: {
        Problem: {
          description: 'The problem, and what to do',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
  // Plain JSON from here on, whatever else schemas carry along.
  return jsonObject.parse(JSON.parse(JSON.stringify(document)));
}

const problem = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
});

/** What it needs of the folders that are served, in the words of `routes.ts`. */
const NEEDS_KEY = 'x-countersign-needs';

function describe(name: OperationName, path: string, operation: Operation): JsonSchema {
  const { summary, access, query, body, status, answer, answerType } = operation;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const fields: { readonly [name: string]: z.core.$ZodType } = query.shape;
  const inQuery = Object.entries(fields).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: !isOptional(schema),
    schema: schemaOf(schema),
  }));
  const content = (schema: JsonSchema, type: string) => ({ [type]: { schema } });
  return {
    operationId: name,
    summary,
    [NEEDS_KEY]: ROUTES[name].needs,
    ...(access === 'public' && { security: [] }),
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: { required: true, content: content(schemaOf(body), 'application/json') },
    }),
    responses: {
      [status]: { description: summary, content: content(schemaOf(answer), answerType) },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

const isOptional = (schema: z.core.$ZodType): boolean => schema._zod.optin === 'optional';

/** As output: a reader ignores unknown fields, except where none may be. */
function schemaOf(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Omitted where other fields are allowed, which is the default.
    override: ({ zodSchema, jsonSchema }) => {
      const { additionalProperties } = jsonSchema;
      if (zodSchema._zod.def.type === 'object' && additionalProperties)
        delete jsonSchema.additionalProperties;
    },
  });
  return described;
}
