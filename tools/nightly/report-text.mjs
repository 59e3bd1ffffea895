import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const LAST_LINES = 40

/**
 * Returns the report of a nightly run as Markdown: a row for each lane, the figures of the benches, the last lines of what failed.
 * @param results  of runLanes, so far
 * @param run      started_at, and how many lanes there are
 */
export function reportText(results, { started_at, lanes }) {
  const failed = results.filter(({ passed }) => !passed)
  const sections = [
    `# Nightly run of ${started_at.toISOString()}`,
    `${results.length - failed.length} passed, ${failed.length} failed, ${lanes - results.length} not run yet.`,
    table(['lane', 'result', 'seconds', 'command', 'log'], results.map(laneRow)),
    ...figureSection(results.flatMap(({ figures }) => figures)),
    ...failed.map(failureSection),
  ]
  return `${sections.join('\n\n')}\n`
}

function laneRow({ name, passed, ended, seconds, command, log }) {
  return [name, passed ? 'passed' : `FAILED (${ended})`, seconds, `\`${command}\``, `[log](${basename(log)})`]
}

function figureSection(figures) {
  if (figures.length === 0) return []
  const rows = figures.map(({ figure, value, unit, goal, reached }) => [
    ...[figure, value, unit, goalText(goal)],
    reached === null ? '' : reached ? 'reached' : 'MISSED',
  ])
  return [`## Figures\n\n${table(['figure', 'value', 'unit', 'goal', ''], rows)}`]
}

function goalText(goal) {
  if (goal === null) return ''
  return 'at_least' in goal ? `at least ${goal.at_least}` : `at most ${goal.at_most}`
}

function failureSection({ name, text }) {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n').slice(-LAST_LINES)
  return `## ${name} failed\n\n${lines.map((line) => `    ${line}`).join('\n')}`
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
