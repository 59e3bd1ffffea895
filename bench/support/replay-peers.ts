import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../primitives/errors.ts'
import type { ReplayWorld } from './replay-world.ts'
import { MINUTE, YEAR_START } from './synthetic-books.ts'

/** See bench/peers/replay_peers.py. */
export const PEERS = ['polars', 'pandas', 'polars_loop', 'pandas_loop'] as const
export type Peer = (typeof PEERS)[number]

/** A peer's CPU seconds and levels. */
type PeerRun = { readonly seconds: number; readonly levels: Float64Array }

export type ReplayPeers = {
  run(peer: Peer): Promise<PeerRun>
  /** Ends the process and removes its files. */
  close(): void
}

const SCRIPT = fileURLToPath(new URL('../peers/replay_peers.py', import.meta.url))
const ENSURE = fileURLToPath(new URL('../../tools/python/ensure.mjs', import.meta.url))

/** Starts a Python process that holds the quotes of `world` as instants of admission and midpoints. */
export function openReplayPeers(world: ReplayWorld, ticks: number): ReplayPeers {
  const python = execFileSync(process.execPath, [ENSURE], { encoding: 'utf8' }).trim()
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  writeQuotes(folder, world, ticks)
  const child = spawn(python, [SCRIPT, folder, String(ticks), String(world.data.size)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    run: async (peer) => {
      child.stdin.write(`${peer}\n`)
      const { value, done } = await lines.next()
      invariant(done !== true, `the peers ended while ${peer} ran`)
      return { seconds: Number(value), levels: readColumn(folder, 'levels') }
    },
    close: () => end(child, folder),
  }
}

function end(child: ChildProcess, folder: string): void {
  child.kill()
  rmSync(folder, { recursive: true, force: true })
}

function writeQuotes(folder: string, world: ReplayWorld, ticks: number): void {
  const quotes = [...world.data.values()].map((leg) => leg.quotes)
  writeColumn(folder, 'ticks', [Float64Array.from({ length: ticks }, (_, i) => YEAR_START + i * MINUTE)])
  writeColumn(folder, 'weights', [Float64Array.from(world.weights)])
  // Every quote arrives within the grace, so its source time is its instant of admission.
  writeColumn(
    folder,
    'at',
    quotes.map(({ source_at }) => source_at),
  )
  writeColumn(
    folder,
    'mid',
    quotes.map(({ bid, ask }) => bid!.map((price, row) => (price + ask![row]!) / 2e9)),
  )
}

function writeColumn(folder: string, name: string, parts: readonly Float64Array[]): void {
  const file = openSync(join(folder, `${name}.f64`), 'w')
  for (const part of parts) {
    const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
  }
  closeSync(file)
}

function readColumn(folder: string, name: string): Float64Array {
  return new Float64Array(Uint8Array.from(readFileSync(join(folder, `${name}.f64`))).buffer)
}
