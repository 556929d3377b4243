import {
  type ApprovalMode,
  type FileResource,
  PLANS_DIRECTORY,
  type Plan,
  type Resource,
} from '@countersign/protocol';

type Planned = Pick<Plan, 'kind' | 'resources'>;

/** Whether the call would change anything, here or elsewhere, as far as is known. */
export function hasEffects({ kind, resources }: Planned, isUnderstood = false): boolean {
  switch (kind) {
    case 'edit':
    case 'delete':
    case 'move':
      return true;
    case 'execute':
      // The resources of a parsed command line are known; those of anything else that runs are not.
      return !isUnderstood || resources.some(changesSomething);
    case 'read':
    case 'search':
    case 'think':
    case 'fetch':
    case 'communicate':
    case 'plan':
    case 'other':
      return resources.some(changesSomething);
  }
}

/** Whether the MCP server of the tool says that it only reads, which may be untrue. */
export const saysItReads = ({
  annotations = {},
  resources,
}: Pick<Plan, 'annotations' | 'resources'>): boolean =>
  annotations['readOnlyHint'] === true &&
  annotations['destructiveHint'] !== true &&
  resources.every(({ kind }) => kind === 'mcp');

function changesSomething(resource: Resource): boolean {
  switch (resource.kind) {
    case 'fs.read':
      return false;
    case 'fs.write':
    case 'opaque':
      return true;
    case 'net':
    case 'mcp':
      return resource.access === 'write';
  }
}

export const isFile = (resource: Resource): resource is FileResource =>
  resource.kind === 'fs.read' || resource.kind === 'fs.write';

export const isOrdinary = (file: FileResource): boolean =>
  file.place === 'workspace' && file.guarded === null;

/** An edit of files that are all in the workspace and unprotected, and of nothing else. */
export const isWorkspaceEdit = ({ kind, resources }: Planned): boolean =>
  kind === 'edit' &&
  resources.some((resource) => resource.kind === 'fs.write') &&
  touchesOnlyOrdinaryFiles({ resources });

export const touchesOnlyOrdinaryFiles = ({ resources }: Pick<Plan, 'resources'>): boolean =>
  resources.every((resource) => isFile(resource) && isOrdinary(resource));

/** An edit of plans alone. Paths are real ones, so that no link makes another file pass for a plan. */
export const isPlanWriting = (planned: Planned): boolean =>
  isWorkspaceEdit(planned) &&
  planned.resources.every((resource) => resource.kind === 'fs.write' && isPlanFile(resource));

const isPlanFile = ({ path }: FileResource): boolean =>
  path.endsWith('.md') && path.slice(0, path.lastIndexOf('/')).endsWith(`/${PLANS_DIRECTORY}`);

/** What of this program's own a call would touch, in words to follow "it would"; null if nothing. */
export function ownResource({ resources }: Pick<Plan, 'resources'>): string | null {
  for (const resource of resources) {
    if (!('ours' in resource) || resource.ours !== true) continue;
    switch (resource.kind) {
      case 'fs.read':
      case 'fs.write':
        return `touch ${resource.path}, one of Countersign's own files (settings, permissions, records, keys of models)`;
      case 'net':
        return `reach Countersign's own server at ${resource.host}`;
      case 'opaque':
        return resource.why;
    }
  }
  return null;
}

/** A path that no rule and no mode may pass without a question, and why; null if there is none. */
export function guardedPath(
  { resources }: Pick<Plan, 'resources'>,
  mode: ApprovalMode,
): { readonly path: string; readonly why: string } | null {
  for (const resource of resources) {
    if (!isFile(resource)) continue;
    const { path, place, guarded, kind } = resource;
    if (place === 'outside') return { path, why: 'it is outside the workspace' };
    // Yolo mode lets reading pass; a silent write of these files would outlive the session.
    if (guarded !== null && (kind === 'fs.write' || mode !== 'yolo')) return { path, why: guarded };
  }
  return null;
}
