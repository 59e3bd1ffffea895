import type { PublishedLevel } from '../../operations/published-levels.ts'
import type { ReplayLine } from '../../operations/replay-index.ts'
import { Decimal, formatDecimal } from '../../primitives/decimal.ts'
import { escapeHtml, htmlTable } from './html.ts'
import { linePlot } from './line-plot.ts'

export type ReplayReport = {
  /** What was replayed, from when to when and as of when. */
  readonly title: string
  readonly lines: readonly ReplayLine[]
  readonly published: readonly PublishedLevel[]
}

/** A tick where replay and publication differ; basis_points = |replayed - published| / published, null without both. */
type Difference = {
  readonly tick_at: string
  readonly published: string | null
  readonly replayed: string | null
  readonly basis_points: string | null
}

const DIFFERENCES_SHOWN = 200

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem}
svg{width:100%;font-size:11px}table{border-collapse:collapse}td,th{padding:.15rem .7rem;text-align:left;font-variant-numeric:tabular-nums}`

/** One self-contained HTML page: levels of a replay beside the published ones, coverage, states and every difference. */
export function renderReplayReport({ title, lines, published }: ReplayReport): string {
  const differences = differencesOf(lines, published)
  const shown = differences.slice(0, DIFFERENCES_SHOWN)
  const more = differences.length - shown.length
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
${htmlTable(['ticks', 'with a level', 'published ticks', 'differences'], [[lines.length, lines.filter(({ level }) => level !== null).length, published.length, differences.length]])}
<h2>Level</h2>
${levelPlot(lines, published)}
<h2>Coverage and confidence</h2>
${linePlot([lineOf('coverage ratio', '#2b8a3e', lines, 'coverage_ratio'), lineOf('confidence', '#e67700', lines, 'confidence')], span(lines))}
<h2>Quality states</h2>
${htmlTable(['state', 'ticks'], statesOf(lines))}
<h2>Differences from the published levels</h2>
${
  shown.length === 0
    ? '<p>None.</p>'
    : htmlTable(
        ['tick', 'published', 'replayed', 'basis points'],
        shown.map(({ tick_at, published: old, replayed, basis_points }) => [tick_at, old, replayed, basis_points]),
      )
}
${more > 0 ? `<p>… and ${more} more</p>` : ''}
</body>
</html>
`
}

function levelPlot(lines: readonly ReplayLine[], published: readonly PublishedLevel[]): string {
  const levels = new Map(published.map(({ tick_at, level }) => [tick_at, level]))
  const official = lines.map(({ tick_at }, x) => ({ x, y: levels.get(tick_at) ?? null }))
  const replayed = lineOf('replayed', '#1864ab', lines, 'level')
  return linePlot([{ name: 'published', color: '#adb5bd', points: official }, replayed], span(lines))
}

function lineOf(
  name: string,
  color: string,
  lines: readonly ReplayLine[],
  field: 'level' | 'coverage_ratio' | 'confidence',
) {
  return { name, color, points: lines.map((line, x) => ({ x, y: line[field] })) }
}

function span(lines: readonly ReplayLine[]) {
  return { first: lines[0]?.tick_at ?? '', last: lines.at(-1)?.tick_at ?? '' }
}

function statesOf(lines: readonly ReplayLine[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { quality_state } of lines) counts.set(quality_state, (counts.get(quality_state) ?? 0) + 1)
  return [...counts]
}

function differencesOf(lines: readonly ReplayLine[], published: readonly PublishedLevel[]): Difference[] {
  const replayed = new Map(lines.map((line) => [line.tick_at, line.level]))
  return published.flatMap(({ tick_at, level }) => {
    const now = replayed.get(tick_at) ?? null
    return now === level ? [] : [{ tick_at, published: level, replayed: now, basis_points: basisPoints(level, now) }]
  })
}

function basisPoints(before: string | null, after: string | null): string | null {
  if (before === null || after === null || new Decimal(before).isZero()) return null
  return formatDecimal(new Decimal(after).minus(before).abs().div(before).times(10_000), 2)
}
