import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { ServiceError } from '../../../primitives/errors.ts'

/** A chain of its own on this machine; it keeps nothing after its end. */
export type LocalChain = { readonly rpc_url: string; stop(): Promise<void> }

const PACKAGE = '@foundry-rs/anvil'

/**
 * Starts anvil on a free port of this machine and waits until it listens.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the package is not installed; SERVICE_UNAVAILABLE: it did not start
 */
export async function startChain(): Promise<LocalChain> {
  const child = spawn(anvilBinary(), ['--port', '0', '--accounts', '2'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1]
    if (address === undefined) continue
    child.stdout.resume()
    return {
      rpc_url: `http://${address}`,
      stop: async () => {
        child.kill('SIGTERM')
        await closed
      },
    }
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'the local chain (anvil) ended before it listened')
}

/** The package's install script is not run: the program lies in the package of the platform, which npm installs beside it. */
function anvilBinary(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  try {
    const starter = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)
    return createRequire(starter).resolve(`${PACKAGE}-${process.platform}-${cpu}/bin/${file}`)
  } catch (error) {
    const message = `${PACKAGE} is not installed for ${process.platform} ${cpu}; install it: npm install ${PACKAGE}`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { package: PACKAGE }, error)
  }
}
