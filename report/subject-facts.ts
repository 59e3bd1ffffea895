import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import type { IndexVersion } from '../pipelines/index/version.ts'
import { formatDecimal, SCALE } from '../primitives/decimal.ts'
import { formatMicros, type Micros } from '../primitives/instants.ts'
import { type Markup, markup } from './markup.ts'
import type { Fact } from './page.ts'
import { type Table, table } from './table.ts'

/** Header rows that say what was replayed, with which knowledge, and how to check it. */
export function subjectFacts(subject: ReplaySubject, digest: string): readonly Fact[] {
  const { index } = subject
  return [
    {
      name: 'Index',
      value: markup`<span class="code">${index.index_id}</span>, ${index.symbol}, ${unitText(subject)}`,
    },
    { name: 'Range', value: `${subject.from} to ${subject.to}, end exclusive` },
    { name: 'As known at', value: asOfText(subject) },
    { name: versionsName(subject), value: versionsText(subject.versions) },
    { name: 'Methodology', value: methodologyText(subject.versions) },
    ...digestFacts(subject, digest),
  ]
}

/** The digest of the lines and the command whose output has it. */
export function digestFacts(subject: ReplaySubject, digest: string): readonly Fact[] {
  return [
    { name: 'Digest of lines', value: markup`<span class="hash">sha256:${digest}</span>` },
    { name: 'Reproduce', value: markup`${commandMarkup(`${replayCommandLine(subject)} | sha256sum`)}` },
  ]
}

/** The instant of knowledge, and whether anybody asked for it. */
export function asOfText({ as_of, as_of_given }: ReplaySubject): string {
  return as_of_given ? as_of : `${as_of} (the newest knowledge when this was made)`
}

/** Command that prints the lines of a subject. */
export function replayCommandLine({ target, from, to, as_of, in_force_from }: ReplaySubject): string {
  const as_if = in_force_from === null ? '' : ` --in-force-from ${in_force_from}`
  return `tidemark index replay ${shellWord(target)} --from ${from} --to ${to} --as-of ${as_of}${as_if} --json`
}

/** Returns a text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A command line that is only broken between its options. */
export function commandMarkup(line: string): Markup {
  const [head = '', ...options] = line.split(/ (?=--|\|)/)
  return markup`<code>${head}${options.map((option) => markup` <span>${option}</span>`)}</code>`
}

/** Unit, mode and base of an index. */
export function unitText({ index, versions }: ReplaySubject): string {
  const mode = versions[0]?.methodology.parameters.mode
  const unit = index.unit.replaceAll('_', ' ')
  return mode === 'gauge'
    ? `${unit}, gauge 0 to 100`
    : `${unit}, chain-linked, base ${index.base_value} on ${index.base_date.slice(0, 10)}`
}

function versionsName({ versions }: ReplaySubject): string {
  return versions.length === 1 ? 'Version' : 'Versions'
}

/** Names of versions and when each takes effect. */
export function versionsText(versions: readonly IndexVersion[]): string {
  return (
    versions.map(({ version, effective_from }) => `${version} from ${formatMicros(effective_from)}`).join('; ') ||
    'none in this range'
  )
}

/** Name, id and content hash of each methodology. */
export function methodologyText(versions: readonly IndexVersion[]): Markup {
  const distinct = new Map(versions.map(({ methodology }) => [methodology.content_hash, methodology]))
  return markup`${[...distinct.values()].map(
    ({ methodology_id, version, name, content_hash }, i) =>
      markup`${i > 0 ? markup`<br>` : null}${name}, <span class="code">${methodology_id}</span> ${version}, <span class="hash">${content_hash}</span>`,
  )}`
}

/** Version by version: what rules when. */
export function versionsTable({ versions }: ReplaySubject): Markup {
  const data: Table = {
    id: 'versions',
    caption: 'Versions in this range',
    columns: [
      { head: 'version', kind: 'text' },
      { head: 'effective_from', kind: 'instant' },
      { head: 'effective_to', kind: 'instant' },
      { head: 'tick every', kind: 'code' },
      { head: 'minimum coverage', kind: 'number' },
      { head: 'constituents', kind: 'number' },
      { head: 'methodology', kind: 'code' },
    ],
    rows: versions.map((version) => [
      version.version,
      formatMicros(version.effective_from),
      version.effective_to === null ? null : formatMicros(version.effective_to),
      intervalText(version.frequency),
      formatDecimal(version.minimum_coverage_ratio, SCALE.coverage_ratio),
      version.constituents.length,
      `${version.methodology.methodology_id}@${version.methodology.version}`,
    ]),
  }
  return table(data)
}

const UNITS: readonly (readonly [Micros, string])[] = [
  [86_400_000_000, 'd'],
  [3_600_000_000, 'h'],
  [60_000_000, 'min'],
  [1_000_000, 's'],
]

/** A tick interval in its largest whole unit: 1 d, 15 min. */
function intervalText(frequency: Micros): string {
  const [size, unit] = UNITS.find(([candidate]) => frequency % candidate === 0)!
  return `${frequency / size} ${unit}`
}
