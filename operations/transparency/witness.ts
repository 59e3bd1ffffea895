import { createHash } from 'node:crypto'
import { checkpointText, parseCheckpoint } from '../../pipelines/transparency/checkpoint.ts'
import { judgeCheckpoint, type WitnessVerdict } from '../../pipelines/transparency/judge-checkpoint.ts'
import { type NoteKey, type NoteSignature, parseNote, signatureLine } from '../../pipelines/transparency/signed-note.ts'
import type { TreeHead } from '../../pipelines/transparency/verify-tree.ts'
import { openLogDisk } from '../../warehouse/transparency/log-disk.ts'

/** Answer of a witness, as HTTP sends it. */
type WitnessAnswer = { readonly status: number; readonly type: string; readonly body: string }

export type WitnessOptions = {
  /** Folder of the heads that it cosigned: its own, which the log cannot write. */
  readonly folder: string
  /** Keys of the logs that it watches. */
  readonly keys: readonly NoteKey[]
  /** Cosigns the text of a checkpoint. */
  readonly cosign: (checkpoint_text: string) => NoteSignature
}

/** A witness: cosigns checkpoints that continue what it saw. */
export type Witness = { addCheckpoint(body: string): Promise<WitnessAnswer> }

const TEXT = 'text/plain; charset=utf-8'
const SIZE = 'text/x.tlog.size'

/**
 * Opens a witness. Requests take turns, and a head is durable before its cosignature is answered: so two heads of one size are never
 * both cosigned.
 */
export function openWitness({ folder, keys, cosign }: WitnessOptions): Witness {
  const disk = openLogDisk(folder)
  const fileOf = (origin: string): string => `${createHash('sha256').update(origin).digest('hex')}.checkpoint`
  const seenAt = async (origin: string): Promise<TreeHead | null> => {
    const signed = await disk.read(fileOf(origin))
    return signed === null ? null : parseCheckpoint(parseNote(signed.toString()).text)
  }
  const add = async (body: string): Promise<WitnessAnswer> => {
    const seen = new Map<string, TreeHead | null>()
    for (const { name } of keys) seen.set(name, await seenAt(name))
    const verdict = judgeCheckpoint(body, keys, (origin) => seen.get(origin) ?? null)
    if (!verdict.cosign) return refused(verdict)
    const { checkpoint } = verdict
    await disk.replace(fileOf(checkpoint.origin), Buffer.from(body.slice(body.indexOf('\n\n') + 2)))
    return { status: 200, type: TEXT, body: signatureLine(cosign(checkpointText(checkpoint))) }
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    addCheckpoint(body) {
      const mine = turn.then(() => add(body))
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

function refused(verdict: WitnessVerdict & { readonly cosign: false }): WitnessAnswer {
  const { status, why, size } = verdict
  if (size !== undefined) return { status, type: SIZE, body: `${size}\n` }
  return { status, type: TEXT, body: `${why}\n` }
}
