import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectStoreAccess } from '../../warehouse/store/s3/object-store-access.ts'
import { ROOT } from './source-files.ts'

/** Two processes of an S3 server over one folder, with one bucket. */
export type StorePair = { readonly access: ObjectStoreAccess; readonly bucket: string; stop(): Promise<void> }

/** Starts two processes of versitygw over a folder. @param flags of its posix backend */
export async function startStorePair(folder: string, flags: readonly string[] = []): Promise<StorePair> {
  const program = execFileSync(process.execPath, [join(ROOT, 'tools/object-store/ensure.mjs')], { encoding: 'utf8' })
  mkdirSync(join(folder, 'objects', 'bucket'), { recursive: true })
  const [access_key_id, secret_access_key] = ['test-key', 'test-secret']
  const children: ChildProcess[] = []
  const endpoints: string[] = []
  for (let n = 0; n < 2; n++) {
    const port = await freePort()
    const common = ['-a', access_key_id, '-s', secret_access_key, '-p', `127.0.0.1:${port}`, '-q', '--keep-alive']
    children.push(spawn(program.trim(), [...common, 'posix', ...flags, join(folder, 'objects')], { stdio: 'ignore' }))
    endpoints.push(`http://127.0.0.1:${port}`)
  }
  for (const endpoint of endpoints) while (!(await answers(endpoint))) await sleep(20)
  const access = {
    ...{ endpoints, region: 'us-east-1', access_key_id, secret_access_key, session_token: '' },
    ...{ folder: join(folder, 'copies'), copies_bytes_max: 1e9 },
  }
  return {
    access,
    bucket: 'bucket',
    async stop() {
      for (const child of children) {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
    },
  }
}

function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
