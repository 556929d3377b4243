/** Where a path lies once every symlink and `..` is resolved. */
export type Place = 'workspace' | 'outside';

/**
 * Something that a call would touch, as the tool declares it. The engine decides where a path lies, not the tool.
 *
 * @example
 * ```ts
 * const resources: DeclaredResource[] = [read('/srv/data', 'tree'), { kind: 'net', host: 'example.com', access: 'read' }];
 * ```
 */
export type DeclaredResource =
  | {
      readonly kind: 'fs.read' | 'fs.write';
      readonly path: string;
      readonly scope: 'file' | 'tree';
      /** Of a command line: the files in the folder are read, and not only names in it, or those that the line mentions. */
      readonly searched?: true;
      /** A reason of the tool's own to ask first, beside those that the path gives. */
      readonly guarded?: string | null;
      /** One of this program's own files: its store, its settings, its tokens. */
      readonly ours?: true;
    }
  | {
      readonly kind: 'net';
      readonly host: string;
      readonly access: 'read' | 'write';
      /** It is this program's own server. */
      readonly ours?: true;
    }
  | {
      readonly kind: 'mcp';
      readonly server: string;
      readonly tool: string;
      readonly access: 'read' | 'write';
      /** Hash of what the server says of the tool: a permission for the tool is one for it as described then. */
      readonly definition?: string;
      /** It was agreed to as something else before: what was agreed to for the whole server does not cover it. */
      readonly redefined?: true;
    }
  | {
      readonly kind: 'opaque';
      readonly why: string;
      /** It would use this program itself; then `why` continues after "it would". */
      readonly ours?: true;
    };

export type FileResource = Extract<DeclaredResource, { kind: 'fs.read' | 'fs.write' }> & {
  readonly place: Place;
  /** Why a silent write here would be dangerous (`.git`, secrets, start-up files); null for ordinary paths. */
  readonly guarded: string | null;
};

/** One thing a call touches, classified: what scheduling and policy look at. */
export type Resource = FileResource | Exclude<DeclaredResource, { kind: 'fs.read' | 'fs.write' }>;
