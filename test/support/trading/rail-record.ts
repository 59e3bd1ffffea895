import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Record of one settlement that a rail executed. */
export type RailTransfer = {
  readonly settlement_id: string
  readonly external_reference: string
  readonly executed_at_ms: number
  /** When it is final. */
  readonly final_at_ms: number
}

/** Transfers that were executed, kept in a folder: whoever opens it sees what others did, however those ended. */
export type RailRecord = {
  /** Executes once. @returns what stands: this one, or the one of before */
  execute(transfer: RailTransfer): Promise<RailTransfer>
  find(settlement_id: string): Promise<RailTransfer | null>
  /** Those that were executed, taken back or not. */
  executed(): Promise<readonly RailTransfer[]>
  /** Marks one that was executed as taken back; again: nothing more. */
  takeBack(settlement_id: string): Promise<void>
  isTakenBack(settlement_id: string): Promise<boolean>
  /** Those that were taken back. */
  takenBack(): Promise<readonly string[]>
}

const TAKEN_BACK = '.taken-back'

/** A file a transfer, which appears whole or not at all, and is never changed. */
export async function openRailRecord(folder: string): Promise<RailRecord> {
  await mkdir(folder, { recursive: true })
  const fileOf = (settlement_id: string) => join(folder, `${settlement_id}.json`)
  const find = async (settlement_id: string): Promise<RailTransfer | null> => {
    const text = await readFile(fileOf(settlement_id), 'utf8').catch(unlessMissing)
    return text === null ? null : (JSON.parse(text) as RailTransfer)
  }
  const markOf = (settlement_id: string) => join(folder, `${settlement_id}${TAKEN_BACK}`)
  let written = 0
  return {
    find,
    execute: async (transfer) => {
      written += 1
      const draft = join(folder, `.${process.pid}-${written}`)
      await writeFile(draft, JSON.stringify(transfer))
      // A link appears in one step, and is refused where there is one.
      await link(draft, fileOf(transfer.settlement_id)).catch(unlessThere)
      await rm(draft)
      return (await find(transfer.settlement_id)) ?? transfer
    },
    executed: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
      const found = await Promise.all(names.map((name) => find(name.slice(0, -'.json'.length))))
      return found.filter((transfer) => transfer !== null)
    },
    takeBack: (settlement_id) => writeFile(markOf(settlement_id), ''),
    isTakenBack: async (settlement_id) => (await readFile(markOf(settlement_id)).catch(unlessMissing)) !== null,
    takenBack: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith(TAKEN_BACK))
      return names.map((name) => name.slice(0, -TAKEN_BACK.length)).sort()
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
