import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/** A chain of its own on this machine. */
export type Anvil = { readonly rpc_url: string; stop(): Promise<void> }

/**
 * Starts anvil on a free port and waits until it listens. Its package is a starter whose install script is not run: the program lies in
 * the package of the platform, which npm installs beside it.
 */
export async function startAnvil(): Promise<Anvil> {
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
  throw new Error('anvil ended before it listened')
}

function anvilBinary(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const starter = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  return createRequire(starter).resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/bin/${file}`)
}
