import { useState } from 'preact/hooks'
import { html } from '../html.ts'
import { type ReplayedLevels, readReplay } from './replay-file.ts'

/** Largest file that is read: a year of minutes as JSON lines has less. */
const BYTES_MAX = 500_000_000

type PickerProps = {
  readonly replay: ReplayedLevels | null
  readonly onReplay: (replay: ReplayedLevels | null) => void
}

/**
 * Chooses a replay of another version, or of a draft, to show beside the published levels. The file stays in this page: a replay can
 * take minutes, so the command line makes it.
 */
export function ReplayPicker({ replay, onReplay }: PickerProps) {
  const [refused, setRefused] = useState<string | null>(null)
  const open = async (event: Event) => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0]
    if (file === undefined) return
    const read =
      file.size > BYTES_MAX
        ? { refused: `the file has ${file.size} bytes; allowed: at most ${BYTES_MAX}` }
        : readReplay(file.name, await file.text())
    const is_refused = 'refused' in read
    if (!is_refused) onReplay(read)
    setRefused(is_refused ? `${file.name}: ${read.refused}` : null)
  }
  return html`<div class="replay-picker">
    <label for="replay-file">Replay of a version</label>
    <input id="replay-file" type="file" accept=".json,.jsonl,.ndjson" aria-describedby="replay-help" onChange=${open} />
    ${replay !== null && html`<button type="button" onClick=${() => onReplay(null)}>Remove ${replay.name}</button>`}
    <p id="replay-help" class="small quiet">A file with the output of <code>tidemark index replay INDEX@VERSION --in-force-from INSTANT --json</code>. It is not sent anywhere.</p>
    ${refused !== null && html`<p role="alert">${refused}</p>`}
  </div>`
}
