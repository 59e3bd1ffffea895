import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectEngine } from '../../../trading/service/connect-engine.ts'
import { endedWith } from '../ended-with.ts'
import { KillTargets } from '../kill/kill-targets.ts'
import { type ElleReport, runElle } from './run-elle.ts'

export type ElleKillsOptions = {
  readonly seed: number
  readonly operations: number
  readonly kills: number
  /** Postgres settings that override the product's. */
  readonly postgres?: Readonly<Record<string, string>>
}

/** `runElle` over engines of their own processes, a leader and a standby: whoever leads is ended by signal 9, again and again. */
export async function runElleWithKills({ postgres = {}, ...options }: ElleKillsOptions): Promise<ElleReport> {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-elle-'))
  const starting = KillTargets.start(home, postgres)
  const close = async () => {
    await starting.then((targets) => targets.close())
    rmSync(home, { recursive: true, force: true })
  }
  return await endedWith(close, async () => {
    const targets = await starting
    const client = connectEngine({ pool: targets.pool })
    const kill = async () => {
      await targets.killLeader()
      await targets.fill()
    }
    try {
      return await runElle(targets.pool, { ...options, serving: { client }, kill })
    } finally {
      await client.close()
    }
  })
}
