import { REQUIREMENT_TEXTS, SECTION_TITLES } from './requirements-text.js';

export type RequirementId = keyof typeof REQUIREMENT_TEXTS;

/** The pieces of work that bring the requirements, in the order in which they come. */
const ISSUES = [
  'heart',
  'library door',
  'hands',
  'judge',
  'voice',
  'other doors',
  'terminal',
  'server and page',
  'fresh machine',
  'security',
  'architecture',
  'correctness',
  'sandbox',
  'undo',
  'terminal and page',
  'fleet and audit',
  'guard',
  'teams',
  'migration',
  'performance',
  'preview',
] as const;
export type Issue = (typeof ISSUES)[number];

/** How far a requirement is kept today. */
export type Delivery =
  | { readonly delivered: 'yes'; readonly by: Issue }
  | {
      readonly delivered: 'partly';
      readonly by: Issue;
      /** What is still missing, and which issue brings it. */
      readonly missing: string;
      readonly restBy: Issue;
    }
  | { readonly delivered: 'no'; readonly by: Issue };

export type Requirement = Delivery & {
  readonly id: RequirementId;
  readonly section: string;
  readonly sentences: readonly string[];
};

const yes = (by: Issue): Delivery => ({ delivered: 'yes', by });
const partly = (by: Issue, missing: string, restBy: Issue): Delivery => ({
  delivered: 'partly',
  by,
  missing,
  restBy,
});
const no = (by: Issue): Delivery => ({ delivered: 'no', by });

const DELIVERY: { readonly [Id in RequirementId]: Delivery } = {
  L1: yes('heart'),
  L2: yes('heart'),
  L3: yes('heart'),
  L4: yes('library door'),
  L5: yes('heart'),

  S1: yes('heart'),
  S2: yes('heart'),
  S3: yes('heart'),
  S4: yes('heart'),
  S5: yes('heart'),
  S6: yes('heart'),

  P1: yes('judge'),
  P2: partly('judge', 'files of extensions', 'migration'),
  P3: yes('judge'),
  P4: yes('judge'),
  P5: yes('judge'),
  P6: yes('judge'),
  P7: yes('judge'),
  P8: partly('judge', 'custom commands, which there are none of yet', 'migration'),
  P9: no('undo'),

  A1: yes('heart'),
  A2: yes('heart'),
  A3: yes('heart'),
  A4: yes('server and page'),
  A5: yes('heart'),
  A6: yes('heart'),
  A7: yes('server and page'),
  A8: yes('heart'),

  H1: yes('voice'),
  H2: yes('judge'),
  H3: yes('judge'),
  H4: yes('judge'),

  T1: yes('heart'),
  T2: yes('voice'),
  T3: yes('other doors'),
  T4: yes('heart'),
  T5: yes('hands'),

  X1: yes('hands'),
  X2: partly('hands', 'the terminal (PTY) mode', 'sandbox'),
  X3: yes('hands'),
  X4: yes('hands'),
  X5: yes('hands'),

  B1: partly('judge', 'Seatbelt on macOS, and chosen hosts', 'sandbox'),
  B2: yes('judge'),
  B3: no('preview'),
  B4: no('sandbox'),
  B5: no('sandbox'),

  M1: partly('other doors', 'OAuth', 'migration'),
  M2: yes('other doors'),
  M3: yes('other doors'),
  M4: yes('other doors'),
  M5: yes('other doors'),

  G1: yes('voice'),
  G2: yes('voice'),
  G3: yes('voice'),
  G4: yes('voice'),

  J1: yes('heart'),
  J2: yes('heart'),
  J3: partly('voice', 'retention', 'fleet and audit'),
  J4: no('fleet and audit'),
  J5: no('undo'),
  J6: no('fleet and audit'),

  C1: partly('voice', 'shell completion and `audit`', 'performance'),
  C2: yes('voice'),
  C3: yes('heart'),
  C4: yes('voice'),
  C5: yes('voice'),

  U1: yes('terminal'),
  U2: yes('terminal'),
  U3: partly('terminal', 'custom commands', 'migration'),

  W1: yes('server and page'),
  W2: partly('server and page', 'a webhook', 'teams'),
  W3: partly('server and page', 'roles beyond named approvers', 'teams'),
  W4: yes('server and page'),
  W5: no('teams'),
  W6: no('teams'),
  W7: no('teams'),
  W8: no('teams'),

  E1: yes('library door'),
  E2: yes('voice'),
  E3: yes('terminal'),

  O1: partly('library door', 'OpenTelemetry', 'teams'),
  O2: yes('server and page'),

  D1: no('fleet and audit'),
  D2: no('fleet and audit'),

  K1: no('guard'),
  K2: no('guard'),
  K3: no('guard'),
  K4: no('guard'),

  V1: no('migration'),
  V2: no('migration'),
  V3: no('migration'),
  V4: no('migration'),
};

const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(REQUIREMENT_TEXTS, id);
const isSection = (letter: string): letter is keyof typeof SECTION_TITLES =>
  Object.hasOwn(SECTION_TITLES, letter);

export const REQUIREMENT_IDS: readonly RequirementId[] =
  Object.keys(REQUIREMENT_TEXTS).filter(isRequirementId);

/** Every requirement, in the order of the specification. */
export const REQUIREMENTS: readonly Requirement[] = REQUIREMENT_IDS.map((id) => ({
  id,
  section: sectionOf(id),
  sentences: REQUIREMENT_TEXTS[id],
  ...DELIVERY[id],
}));

function sectionOf(id: RequirementId): string {
  const letter = id.slice(0, 1);
  if (!isSection(letter)) throw new Error(`No section has the letter ${letter} of requirement ${id}`);
  return `${letter}. ${SECTION_TITLES[letter]}`;
}
