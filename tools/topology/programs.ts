import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Program } from './keep-process.ts'
import { makeAuthority, makeCertificate } from './make-certificates.ts'
import type { PlannedProcess } from './plan-topology.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const BIN = join(ROOT, 'cli/tidemark.mjs')
/** Debian installs nginx where only root looks. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`
export const PROXY_PORT = 8443

/** Reads a file of the checkout. */
export const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

/** Returns a command of ours with its variables, and with nothing of the surroundings that would change them. */
export function tidemark({ argv, environment }: Pick<PlannedProcess, 'argv' | 'environment'>): Program {
  const { PATH: path, HOME } = process.env
  return { file: process.execPath, argv: [BIN, ...argv], environment: { PATH: path, HOME, ...environment } }
}

/** Returns the object store, whose bucket is made first. */
export function versitygw({ argv, environment }: PlannedProcess, bucket_folder: string): Program {
  mkdirSync(bucket_folder, { recursive: true })
  const ensure = join(ROOT, 'tools/object-store/ensure.mjs')
  const file = execFileSync(process.execPath, [ensure], { encoding: 'utf8' }).trim()
  return { file, argv, environment: { PATH, ...environment } }
}

/** Returns nginx with the shipped file for replicas. */
export function nginx(planned: readonly PlannedProcess[], { host }: PlannedProcess, folder: string): Program {
  const hostOf = (name: string) => planned.find((process) => process.name === name)!.host
  const server = read('deploy/proxy/nginx-replicas.conf')
    .replace('listen 443 ssl', `listen ${host}:${PROXY_PORT} ssl`)
    .replaceAll(/\bapi-[12](?=:)/g, hostOf)
    .replaceAll('/etc/ssl/tidemark/api.example', join(folder, 'api.example'))
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`).join('\n')
  const file = join(folder, 'nginx.conf')
  const http = `http {\n${failuresLogged(folder)}\n${paths}\n${server}\n}`
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\nevents { worker_connections 4096; }\n${http}\n`)
  return { file: 'nginx', argv: ['-e', 'stderr', '-p', folder, '-c', file], environment: { PATH } }
}

/** Returns the settings by which nginx logs the requests that it answered with a failure, with what the replicas answered. */
function failuresLogged(folder: string): string {
  const fields = '$time_iso8601 $request_method $uri $status $upstream_addr $upstream_status $upstream_connect_time'
  const failed = 'map $status $is_failed {\n~^5 1;\ndefault 0;\n}'
  return `${failed}\nlog_format failures '${fields}';\naccess_log ${folder}/proxy-failures.log failures if=$is_failed;`
}

/** Makes the certificates of the link, where an engine's is of its address, and that of the proxy. */
export async function certify(folder: string, planned: readonly PlannedProcess[]): Promise<string> {
  const authority = await makeAuthority(folder, 'authority')
  const engines = planned.filter(({ argv }) => argv[0] === 'engine')
  for (const { name, host } of engines) await makeCertificate(folder, name, authority, { names: [`IP:${host}`] })
  await makeCertificate(folder, 'caller', authority, { names: ['DNS:caller'] })
  await makeCertificate(folder, 'api.example', authority, { names: ['DNS:api.example'] })
  return authority.cert
}
