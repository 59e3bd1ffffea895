import type { SeverityAssessment } from '../../../protocol/resources/severity.ts'
import { groupDigits, pixelNumber } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'

type RangeBarProps = {
  readonly score: string | null
  readonly range: SeverityAssessment['score_range']
  /** Lowest score of each level; null: not read. */
  readonly thresholds: Readonly<Record<string, string>> | null
}

/** Where a score lies between 0 and 100, and how far evidence lets it lie elsewhere. */
export function RangeBar({ score, range, thresholds }: RangeBarProps) {
  const words = rangeWords(score, range)
  const marks = Object.entries(thresholds ?? {}).map(([level, at]) => [level, pixelNumber(at) * SCALE] as const)
  const [low, high] = range === null ? [0, 0] : [pixelNumber(range.low) * SCALE, pixelNumber(range.high) * SCALE]
  return html`<div class="range">
    <p>${words}</p>
    <svg viewBox="-2 0 404 44" role="img" aria-label=${`${words}, on a scale of 0 to 100`}>
      <line class="scale" x1="0" x2="400" y1="24" y2="24" />
      ${marks.map(([level, x]) => html`<g key=${level}><line class="scale" x1=${x} x2=${x} y1="18" y2="30" /><text x=${x} y="42" text-anchor=${x > 380 ? 'end' : x < 20 ? 'start' : 'middle'}>${level.replace('SEV-', '')}</text></g>`)}
      ${range !== null && html`<rect class="between" x=${low} width=${Math.max(high - low, 1)} y="17" height="14" />`}
      ${score !== null && html`<path class="score" d=${`M${pixelNumber(score) * SCALE} 12v24`} />`}
      ${score === null && range === null && html`<text x="200" y="14" text-anchor="middle">not known</text>`}
    </svg>
  </div>`
}

const SCALE = 4

function rangeWords(score: string | null, range: SeverityAssessment['score_range']): string {
  const said = score === null ? 'no score' : `score ${groupDigits(score)}`
  return range === null
    ? `${said}, no range`
    : `${said}, between ${groupDigits(range.low)} and ${groupDigits(range.high)}`
}
