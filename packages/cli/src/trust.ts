import { resolve } from 'node:path';
import { visibleLine } from '@countersign/display';
import { ownSettings } from './compose/in-force.js';
import { EXIT, type ExitCode } from './io/exit-codes.js';
import { messageOf, usage } from './io/failure-text.js';
import { type Io, printJson, say } from './io/io.js';
import { readOptions } from './options/options.js';
import { realWorkspace } from './options/places.js';
import { Settings } from './settings/settings.js';
import { askYesOrNo } from './terminal/yes-or-no.js';
import { changesInWords, keysIgnored } from './trust/notice.js';
import { type Project, readProject } from './trust/project.js';
import { type ProjectSummary, summaryOf, summaryText } from './trust/project-text.js';
import { allRecords, recordOf, removeRecord, type TrustRecord, writeRecord } from './trust/records.js';
import {
  contentOfProject,
  type ProjectContent,
  type TrustStatus,
  trustStatusOf,
} from './trust/trust-status.js';

/** `countersign trust`: shows what a folder would put into effect, asks, and records the content that was shown. */
export async function trust(args: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readOptions('trust', args, {
    yes: { type: 'boolean', short: 'y' },
    list: { type: 'boolean' },
    revoke: { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const [folder, ...more] = positionals;
  if (more.length > 0) throw usage('trust takes one folder', 'countersign trust [DIR]');
  if ([values.yes, values.list, values.revoke].filter(Boolean).length > 1)
    throw usage('--yes, --list and --revoke cannot be combined', 'countersign help trust');
  const json = values.json ?? false;
  if (values.list) return list(folder, json, io);
  if (values.revoke) return revoke(folder ?? io.cwd, json, io);
  return trustOne(await realWorkspace(folder ?? io.cwd), { json, yes: values.yes ?? false }, io);
}

async function trustOne(
  workspace: string,
  { json, yes }: { readonly json: boolean; readonly yes: boolean },
  io: Io,
): Promise<ExitCode> {
  const project = await readProject(workspace, io.env);
  const files = [...(await ownSettings(io.env)), ...(project.settings ? [project.settings.parsed] : [])];
  const keys = keysIgnored(new Settings({ files, env: io.env, flags: {}, project: 'untrusted' }));
  if (project.policies.length + project.skills.length + keys.length === 0) {
    // A record without files would be reported as changed on every start.
    await removeRecord(workspace, io.env);
    if (json) printJson(io, { path: workspace, needed: false });
    else io.stdout.write(`${visibleLine(`${workspace} contains nothing that requires trust.`)}\n`);
    return EXIT.ok;
  }
  // Records the content that is shown, even if files change before the answer.
  const content = await contentOfProject(project);
  const summary = await summaryOf(project, content, keys);
  const trustStatus = await trustStatusOf(project, io.env, content);
  if (!json) io.stdout.write(`${shown(project, summary, trustStatus)}\n`);
  if (trustStatus.type !== 'trusted') {
    const answer = yes ? 'yes' : await ask(shown(project, summary, trustStatus), json, io);
    if (answer !== 'yes') {
      say(io, 'Not trusted. Nothing was changed.');
      return answer === 'no' ? EXIT.notAll : EXIT.interrupted;
    }
    await writeRecord(recordFor(workspace, content), io.env);
  }
  if (json) printJson(io, { path: workspace, needed: true, trusted: true, hash: content.hash, ...summary });
  else if (trustStatus.type !== 'trusted')
    say(io, 'Trusted in its current state. Any change to it must be confirmed again.');
  return EXIT.ok;
}

function recordFor(path: string, { hash, files }: ProjectContent): TrustRecord {
  const seen = files.map((file) => {
    if (file.hash === null)
      throw usage(`${file.path} cannot be read, so its effect is unknown`, 'make it readable, or remove it');
    return { path: file.path, hash: file.hash };
  });
  return { path, hash, at: Date.now(), files: seen };
}

function shown({ workspace }: Project, summary: ProjectSummary, trustStatus: TrustStatus): string {
  const head =
    trustStatus.type === 'trusted'
      ? `${workspace} is trusted, and this takes effect:`
      : trustStatus.type === 'changed'
        ? `${workspace} has changed since it was trusted: ${changesInWords(trustStatus.changes)}. This would take effect:`
        : `If you trust ${workspace}, this takes effect:`;
  return `${visibleLine(head)}\n${summaryText(summary)}`;
}

/** If standard output is not the terminal, the question repeats the summary. */
const ask = (text: string, json: boolean, io: Io) =>
  askYesOrNo(
    json || io.stdout.isTTY !== true ? `${text}\nTrust it?` : 'Trust it?',
    'countersign trust --yes, after reviewing what is shown',
    io,
  );

async function list(folder: string | undefined, json: boolean, io: Io): Promise<ExitCode> {
  const records = folder === undefined ? await allRecords(io.env) : ofOne(await realWorkspace(folder), io);
  for (const { path, hash, at } of records) {
    const now = await stateNow(path, io);
    if (json)
      printJson(io, {
        path,
        hash,
        at,
        now: now.type,
        ...(now.type === 'changed' && { changes: now.changes }),
      });
    else io.stdout.write(`${visibleLine(`${path}  trusted ${new Date(at).toISOString()}${inWords(now)}`)}\n`);
  }
  if (!json && records.length === 0) say(io, 'No folder is trusted.');
  return EXIT.ok;
}

function ofOne(path: string, io: Io): readonly TrustRecord[] {
  const record = recordOf(path, io.env);
  return record === null ? [] : [record];
}

type Now = TrustStatus | { readonly type: 'unusable'; readonly problem: string };

/** The folder may be deleted or unreadable by now. */
async function stateNow(path: string, io: Io): Promise<Now> {
  try {
    return await trustStatusOf(await readProject(path, io.env), io.env);
  } catch (thrown) {
    return { type: 'unusable', problem: messageOf(thrown) };
  }
}

function inWords(now: Now): string {
  switch (now.type) {
    case 'trusted':
      return '';
    case 'changed':
      return `, but changed since: ${changesInWords(now.changes)}`;
    case 'unusable':
      return `, but cannot be used now: ${now.problem}`;
    case 'never_trusted':
      return ', revoked in the meantime';
  }
}

/** Falls back to the path as given, so that trust in a deleted folder can be revoked. */
async function revoke(folder: string, json: boolean, io: Io): Promise<ExitCode> {
  const path = await realWorkspace(folder).catch(() => resolve(folder));
  const wasTrusted = await removeRecord(path, io.env);
  if (json) printJson(io, { path, revoked: wasTrusted });
  else say(io, wasTrusted ? `${path} is no longer trusted.` : `${path} was not trusted.`);
  return wasTrusted ? EXIT.ok : EXIT.notAll;
}
