import type { ApprovalMode, DeclaredResource, GrantPattern, HookAdvice, Origin } from '@countersign/protocol';
import { classify, SERVER, type Spec, WORKSPACE } from './tool-specs.js';

export type Situation = {
  readonly mode: ApprovalMode;
  readonly attended: boolean;
  readonly origin: Origin;
  /** What hooks say of the call. */
  readonly advice: HookAdvice['decision'] | null;
};

/** What policy must say, said a second time and in few words: the engine is measured against this. */
export function expectedDecision(spec: Spec, on: string, how: Situation): 'allow' | 'ask' | 'deny' {
  if (spec.name === 'banned' || (how.mode === 'plan' && spec.hasEffect)) return 'deny';
  if (how.advice === 'deny') return 'deny';
  const asks = isAsked(spec, on, how.mode) || how.advice === 'ask';
  if (how.advice === 'allow' && hookMayAllow(spec, on, how.mode)) return 'allow';
  if (!asks || how.origin === 'person') return 'allow';
  return how.attended ? 'ask' : 'deny';
}

const isAsked = (spec: Spec, on: string, mode: ApprovalMode): boolean =>
  isOutside(spec, on) || mode === 'confirm_always' || asksInMode(spec, mode);

/** Whether nothing but policy wants it asked about. */
export const hookMayAllow = (spec: Spec, on: string, mode: ApprovalMode): boolean =>
  !isOutside(spec, on) && mode !== 'confirm_always' && asksInMode(spec, mode);

/** Whether a standing permission may stand in for an answer. */
export const grantsCount = (spec: Spec, on: string, mode: ApprovalMode): boolean =>
  spec.name !== 'banned' &&
  !isOutside(spec, on) &&
  mode !== 'confirm_always' &&
  !(mode === 'plan' && spec.hasEffect);

export function grantCovers(pattern: GrantPattern, spec: Spec, on: string): boolean {
  switch (pattern.kind) {
    case 'edits':
      return spec.kind === 'edit' && !isOutside(spec, on);
    case 'tool':
      return spec.name === pattern.tool;
    case 'command':
      // No simulated tool runs command lines.
      return false;
    case 'mcp-tool':
    case 'mcp-server':
      return spec.confirmation === 'mcp' && pattern.server === SERVER;
    case 'host':
      return spec.name === pattern.tool && on === pattern.host;
  }
}

const asksInMode = (spec: Spec, mode: ApprovalMode): boolean =>
  (spec.hasEffect || spec.asksByItself) &&
  mode !== 'yolo' &&
  !(mode === 'auto_edit' && spec.name !== 'banned' && spec.kind === 'edit');

const isOutside = (spec: Spec, on: string): boolean =>
  spec
    .touches(on)
    .some((touched) => 'path' in touched && classify(WORKSPACE, touched.path).place === 'outside');

/** Whether one of two calls writes what the other touches. */
export function conflict(a: readonly DeclaredResource[], b: readonly DeclaredResource[]): boolean {
  return a.some((one) => b.some((other) => meet(one, other) && (writes(one) || writes(other))));
}

function meet(a: DeclaredResource, b: DeclaredResource): boolean {
  if (a.kind === 'opaque' || b.kind === 'opaque') return writes(a) && writes(b);
  if ('path' in a && 'path' in b) {
    return a.path === b.path || a.path.startsWith(`${b.path}/`) || b.path.startsWith(`${a.path}/`);
  }
  if (a.kind === 'net' && b.kind === 'net') return a.host === b.host;
  if (a.kind === 'mcp' && b.kind === 'mcp') return a.server === b.server && a.tool === b.tool;
  return false;
}

function writes(resource: DeclaredResource): boolean {
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
