/** Programs with sub-commands, before which global options may stand. */
export const MULTI_CALL: ReadonlySet<string> = new Set(
  [
    'git npm pnpm yarn bun deno docker podman kubectl helm cargo go gh glab',
    'pip pip3 uv poetry conda apt apt-get dnf yum brew systemctl terraform aws',
    'gcloud az fly heroku vercel composer bundle gem dotnet svn hg rustup kind',
    'minikube nx turbo lerna jj ip busybox toybox make',
  ].flatMap((line) => line.split(' ')),
);

/** Git's own options before a sub-command that take a value. */
export const GIT_VALUED = {
  short: 'cC',
  long: ['git-dir', 'work-tree', 'namespace', 'super-prefix', 'config-env', 'attr-source'],
} as const satisfies { readonly short: string; readonly long: readonly string[] };

export const baseName = (program: string): string => program.slice(program.lastIndexOf('/') + 1);
