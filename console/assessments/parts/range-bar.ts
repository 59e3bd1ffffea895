import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'
import { groupDigits, pixelNumber } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'

type RangeBarProps = {
  readonly score: string | null
  readonly range: SeverityAssessment['score_range']
  /** Lowest score of each level; null: not read. */
  readonly thresholds: Readonly<Record<string, string>> | null
}

/** Score between 0 and 100 with the range that the evidence allows. */
export function RangeBar({ score, range, thresholds }: RangeBarProps) {
  const words = rangeWords(score, range)
  const steps = stepsOf(thresholds)
  const [low, high] = range === null ? [0, 0] : [pixelNumber(range.low) * SCALE, pixelNumber(range.high) * SCALE]
  return html`<div class="range">
    <p>${words}</p>
    <svg viewBox="-2 0 404 44" role="img" aria-label=${`${words}, on a scale of 0 to 100`}>
      <line class="scale" x1="0" x2="400" y1="24" y2="24" />
      ${steps.map(({ level, from, to }) => html`<g key=${level}><line class="scale" x1=${from} x2=${from} y1="18" y2="30" /><text x=${(from + to) / 2} y="42" text-anchor="middle">${to - from < NARROW ? level.replace('SEV-', '') : level}</text></g>`)}
      <line class="scale" x1="400" x2="400" y1="18" y2="30" />
      ${range !== null && html`<rect class="between" x=${low} width=${Math.max(high - low, 1)} y="17" height="14" />`}
      ${score !== null && html`<path class="score" d=${`M${pixelNumber(score) * SCALE} 12v24`} />`}
      ${score === null && range === null && html`<text x="200" y="14" text-anchor="middle">unknown</text>`}
    </svg>
  </div>`
}

const SCALE = 4
const WIDTH = 100 * SCALE
/** Widest step, in pixels, that shows only the number of its level. */
const NARROW = 34

/** Returns the steps of the scale in pixels, from the lowest score of a level to that of the next. */
function stepsOf(thresholds: RangeBarProps['thresholds']) {
  const starts = Object.entries(thresholds ?? {})
    .map(([level, at]) => ({ level, from: pixelNumber(at) * SCALE }))
    .sort((a, b) => a.from - b.from)
  return starts.map((one, at) => ({ ...one, to: starts[at + 1]?.from ?? WIDTH }))
}

function rangeWords(score: string | null, range: SeverityAssessment['score_range']): string {
  const text = score === null ? 'no score' : `score ${groupDigits(score)}`
  return range === null
    ? `${text}, no range`
    : `${text}, between ${groupDigits(range.low)} and ${groupDigits(range.high)}`
}
