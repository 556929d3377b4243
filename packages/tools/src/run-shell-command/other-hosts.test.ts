import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const decisionOn = async (line: string) => (await shipped.onCommand(place.workspace, line)).decision;

describe('a command that only looks', () => {
  test.each([
    'pip list --index-url http://host.example',
    'pip list --index-url=http://host.example',
    'pip list --ind http://host.example',
    'pip list -i http://host.example',
    'pip list -ihttp://host.example',
    'pip3 list --extra-index-url http://host.example',
    'pip list -f http://host.example',
    'pip list --find-links=http://host.example',
    'pip list --proxy http://host.example',
    'pip list --outdated',
    'pip list -o',
    'pip list --o',
    'pip list --uptodate',
    'pip show --proxy=http://host.example x',
    'pip freeze --trusted-host host.example',
    'pip list --python ./evil',
    'pip list --log out',
    'npm ls --registry http://host.example',
    'npm ls --proxy=http://host.example',
    'npm ls --https-proxy http://host.example',
    'npm ls --@scope:registry http://host.example',
    'npm config list --//host.example/:_authToken=x',
    'cargo tree --registry other',
    'cargo tree --index http://host.example',
    'go list -m -u all',
    'go list -m -versions x',
    'go list -export ./...',
    'go list -compiled ./...',
    'docker ps -H tcp://host.example',
    'docker ps --host=tcp://host.example',
    'docker images --context other',
    'docker ps --config ./evil',
    'PIP_INDEX_URL=http://host.example pip list',
    'HTTPS_PROXY=http://host.example npm ls',
    'env https_proxy=http://host.example npm ls',
    'NPM_CONFIG_REGISTRY=http://host.example npm ls',
    'npm_config_registry=http://host.example npm ls',
    'export GH_HOST=host.example; npm ls',
    'export PIP_INDEX_URL=http://host.example; pip list',
    'GOPROXY=http://host.example go list ./...',
    'GOFLAGS=-toolexec=./evil go list',
    'GIT_SSH_COMMAND=./evil git log',
    'pip list $X',
    'pip list "--$X"',
    'sort --o=out names',
  ])('does not reach a host, or do more, unasked: %s [P4]', async (line) => {
    expect(await decisionOn(line)).toBe('ask_user');
  });

  test.each([
    'pip list',
    'pip list --format=json',
    'pip list --format json --not-required',
    'pip list -l',
    'pip3 show requests',
    'pip show -f requests',
    'pip freeze --all',
    'npm ls',
    'npm ls --depth=0 --json',
    'npm ls -g',
    'npm why left-pad',
    'npm config get registry',
    'cargo tree -i serde',
    'cargo tree --invert serde -p x',
    'go list ./...',
    'go list -m all',
    'go list -f {{.Dir}} ./...',
    'go env GOPROXY',
    'docker ps -a --format {{.Names}}',
    'docker ps -q -f name=x',
    'docker images',
  ])('stays unasked as ever: %s [P4]', async (line) => {
    expect(await decisionOn(line)).toBe('allow');
  });
});
