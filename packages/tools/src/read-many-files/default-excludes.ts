import { expandBraces } from '../ignore/braces.js';

/** Files that "all files" does not mean: dependencies, products, lock files, secrets, and what is no text. */
export const DEFAULT_EXCLUDES: readonly string[] = [
  '{node_modules,bower_components,jspm_packages,.pnpm-store}',
  '{dist,build,out,target,coverage,.next,.nuxt,.turbo,.cache,.parcel-cache}',
  '{__pycache__,.venv,venv,.tox,.mypy_cache,.pytest_cache,.gradle}',
  '{.git,.svn,.hg,.idea,.vscode,.DS_Store}',
  '{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb}',
  '{Cargo.lock,poetry.lock,uv.lock,Pipfile.lock,Gemfile.lock,composer.lock,go.sum,flake.lock}',
  '{.env,.env.*,*.pem,*.key,*.p12,*.pfx}',
  '*.{exe,dll,so,dylib,a,o,obj,lib,bin,class,jar,war,pyc,pyo,wasm,node}',
  '*.{zip,tar,gz,tgz,bz2,xz,zst,7z,rar,iso,dmg,deb,rpm}',
  '*.{woff,woff2,ttf,otf,eot,mp3,mp4,m4a,mov,avi,mkv,webm,wav,ogg,flac,db,sqlite,sqlite3,parquet}',
  '*.{min.js,min.css,map}',
].flatMap(expandBraces);
