import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeScratch, type Stage, setStage, stageOf } from './stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage(await makeScratch());
});
afterEach(() => rm(dirname(stage.workspace), { recursive: true }));

test('the folder that was made for a demonstration is known as its stage [W3]', async () => {
  expect(await stageOf(stage.workspace)).toEqual(stage);
});

test('no other folder passes for a stage: not one beside it, not one that others can enter [W3]', async () => {
  expect(await stageOf(dirname(stage.workspace))).toBeNull();
  expect(await stageOf(join(stage.workspace, 'drafts'))).toBeNull();
  await chmod(dirname(stage.workspace), 0o755);
  expect(await stageOf(stage.workspace)).toBeNull();
});

test('a link in the place of the folder, which may lead anywhere, is no stage [W3]', async () => {
  await rename(stage.workspace, `${stage.workspace}-before`);
  expect(await stageOf(stage.workspace)).toBeNull();
  await symlink('/', stage.workspace);
  expect(await stageOf(stage.workspace)).toBeNull();
  await rm(stage.workspace);
  await mkdir(stage.workspace);
  expect(await stageOf(stage.workspace)).toEqual(stage);
});
