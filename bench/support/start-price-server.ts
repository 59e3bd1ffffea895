import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PriceServer, Usage } from './price-server.ts'

const SCRIPT = fileURLToPath(new URL('./price-server.ts', import.meta.url))

/** Starts a server in a process of its own, so that its CPU time is separate from its clients'. */
export type StartedServer = { readonly base_url: string; usage(): Promise<Usage>; close(): Promise<void> }

export async function startPriceServer(server: PriceServer): Promise<StartedServer> {
  const child = fork(SCRIPT, [JSON.stringify(server)], { execArgv: ['--import', 'tsx'] })
  const { base_url } = await answerOf<{ base_url: string }>(child)
  return {
    base_url,
    usage() {
      const answer = answerOf<Usage>(child)
      child.send('usage')
      return answer
    },
    async close() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}
