import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { binaryVersion, cachedBinaryPath, isExecutable, TEMPORAL_CLI_VERSION } from './binary.ts'

/** Longest download; a blocked network is given up early, so that a build starts sooner. */
const DOWNLOAD_MS = 60_000
/** Longest wait for the first byte. */
const REACH_MS = 5_000
const DOWNLOAD_HOST = 'https://temporal.download'

/**
 * Downloads the server with the SDK, once, into the cache.
 * @returns its path; null if the download is not possible, and `on_step` received the reason
 */
export async function downloadServerBinary(cache: string, on_step: (step: string) => void): Promise<string | null> {
  if (!(await isReachable())) {
    on_step(`the Temporal server cannot be downloaded here: ${new URL(DOWNLOAD_HOST).host} does not answer`)
    return null
  }
  const target = cachedBinaryPath(cache)
  await mkdir(dirname(target), { recursive: true })
  const folder = await mkdtemp(join(dirname(target), 'download-'))
  try {
    on_step(`downloading the Temporal server ${TEMPORAL_CLI_VERSION}`)
    await downloadInto(folder)
    const file = await executableIn(folder)
    if (file === null) return null
    await copyFile(file, `${file}.new`)
    await chmod(`${file}.new`, 0o755)
    await rename(`${file}.new`, target)
    return target
  } catch (error) {
    on_step(`the Temporal server cannot be downloaded here: ${error instanceof Error ? error.message : String(error)}`)
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(REACH_MS)
  return fetch(DOWNLOAD_HOST, { method: 'HEAD', signal, redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}

/** Downloads by starting a server with the SDK, which is stopped at once. */
async function downloadInto(folder: string): Promise<void> {
  const { Runtime } = await import('@temporalio/worker')
  const runtime = Runtime.instance()
  const started = runtime.createEphemeralServer({
    type: 'dev-server',
    exe: {
      type: 'cached-download',
      downloadDir: folder,
      version: `v${TEMPORAL_CLI_VERSION}`,
      ttl: 0,
      sdkName: 'sdk-typescript',
      sdkVersion: TEMPORAL_CLI_VERSION,
    },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'pretty', level: 'error' },
    extraArgs: [],
  })
  const server = await Promise.race([started, delay(DOWNLOAD_MS, null, { ref: false })])
  if (server !== null) await runtime.shutdownEphemeralServer(server)
}

async function executableIn(folder: string): Promise<string | null> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if ((await isExecutable(file)) && (await binaryVersion(file)) !== null) return file
  }
  return null
}
