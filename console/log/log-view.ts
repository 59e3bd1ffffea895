import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoaded, useNow } from '../data/hooks.ts'
import { instantOf, showAge, showInstant } from '../data/instant-text.ts'
import { html } from '../html.ts'
import { Facts } from '../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { RecordTable } from '../parts/record-table.ts'
import { FILES, SEEN } from './browser-log.ts'
import { textOf } from './bytes.ts'
import { isWithoutLog } from './log-files.ts'
import { CheckList } from './parts/check-list.ts'
import { type SealFacts, sealsOf } from './seals.ts'
import { type Checkpoint, parseCheckpoint, rootText, witnessesOf } from './signed-note.ts'
import { lastBundlePath } from './tiles.ts'
import type { Verdict } from './verdict.ts'
import { verifyHead } from './verify-head.ts'

/** Interval of reads of the checkpoint. */
const AGAIN_MS = 60_000

type Head = { readonly checkpoint: Checkpoint; readonly seals: readonly SealFacts[] }

/** Head of the log with its witnesses and newest seals, and the button that verifies it in this browser. */
export function LogView() {
  const now = useNow(AGAIN_MS)
  const read = useLoaded<Head | null>('log', readHead, now)
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Log" />`
  if (read.state === 'loading') return html`<${Loading} what="log" />`
  if (read.data === null) return html`<${Empty}>This service has no log yet<//>`
  const { checkpoint, seals } = read.data
  return html`<p>Everything that is published here is entered in one log, from which nothing can be removed without a trace. The log always shows the present.</p>
    <${VerifyHead} />
    <${HeadFacts} checkpoint=${checkpoint} seals=${seals} />
    <${SealTable} seals=${seals} />`
}

async function readHead(signal: AbortSignal): Promise<Head | null> {
  try {
    const checkpoint = parseCheckpoint(textOf(await FILES.read('checkpoint', signal)))
    const { size } = checkpoint
    return { checkpoint, seals: size === 0 ? [] : sealsOf(await FILES.read(lastBundlePath(size), signal)) }
  } catch (error) {
    if (isWithoutLog(error)) return null
    throw error
  }
}

function HeadFacts({ checkpoint, seals }: Head) {
  const { origin, size, root } = checkpoint
  const now = useNow()
  const [last] = seals
  const seen = SEEN.of(origin)
  const witnesses = witnessesOf(checkpoint)
  return html`<${Facts} facts=${[
    ['Log', html`<code class="hash">${origin}</code>`],
    ['Entries', size.toLocaleString('en-US')],
    ['Root', html`<code class="hash">${rootText(root)}</code>`],
    ['Sealed through', last === undefined ? null : `${showInstant(last.sealed_through)} UTC`],
    [
      'Last seal',
      last === undefined
        ? null
        : `${showInstant(last.published_at)} UTC, ${showAge(now - Date.parse(last.published_at))}`,
    ],
    [
      'Witnesses',
      witnesses.length === 0
        ? null
        : html`${witnesses.map(({ name, cosigned_ms }) => html`<span key=${name}><code class="hash">${name}</code> ${showInstant(instantOf(cosigned_ms))} UTC; its key is not known here, so its signature is not checked. </span>`)}`,
    ],
    [
      'Seen before',
      seen === null
        ? 'never by this browser'
        : `${seen.head.size.toLocaleString('en-US')} entries, verified ${showInstant(instantOf(seen.seen_ms))} UTC`,
    ],
    [
      'Files',
      html`<a href="/log/checkpoint" target="_blank" rel="noopener">checkpoint</a>, <a href="/log/vkey" target="_blank" rel="noopener">key</a>`,
    ],
  ]} />`
}

/** Button and result. */
function VerifyHead() {
  const [verdict, setVerdict] = useState<Verdict | 'running' | null>(null)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const verify = async () => {
    if (verdict === 'running') return
    setVerdict('running')
    const { signal } = ending.current
    const found = await verifyHead({ files: FILES, seen: SEEN, now_ms: Date.now, signal })
    if (!signal.aborted) setVerdict(found)
  }
  const is_running = verdict === 'running'
  return html`<p><button type="button" class="main" onClick=${verify} aria-disabled=${String(is_running)}>${is_running ? 'Verifying …' : 'Verify the log'}</button>
      <span class="quiet"> checks signature, tiles and history in this browser</span></p>
    ${verdict !== null && verdict !== 'running' && html`<${CheckList} verdict=${verdict} />`}`
}

const COLUMNS = [
  ['Seal', 'head'],
  ['Published, UTC', 'instant'],
  ['Sealed through, UTC', 'instant'],
  ['Records', 'number'],
] as const

function SealTable({ seals }: { seals: readonly SealFacts[] }) {
  const rows = seals.slice(0, 10).map(({ record_id, published_at, sealed_through, entries }) => ({
    key: record_id,
    cells: [record_id, showInstant(published_at), showInstant(sealed_through), entries.toLocaleString('en-US')],
  }))
  return html`<${RecordTable} id="seals" title="Newest seals" columns=${COLUMNS} rows=${rows} empty="No seal among the last entries" above=${html`<p class="quiet">From a seal on, nothing can be published at or before the instant that it names.</p>`} />`
}
