import { departureText } from '../../protocol/signing/debug/departure.ts'
import type { CheckedLine, ExplainedSignature } from '../../protocol/signing/debug/report.ts'
import type { Output } from '../../service/output.ts'

/** Prints each signature: what must be signed, what was signed, hashes, causes and the next step. */
export async function printExplained(output: Output, explained: readonly ExplainedSignature[]): Promise<void> {
  for (const one of explained) await printOne(output, one)
}

async function printOne(output: Output, one: ExplainedSignature): Promise<void> {
  const { name, verdict, code, lines, facts, findings, signed_text, next } = one
  await output.line(`${name}: ${verdict}${code === null ? '' : `, ${code}`}`)
  if (lines.length > 0) await output.table(['line', ...columnsOf(lines)], lines.map(rowOf))
  const named = Object.entries(facts)
  if (named.length > 0) await output.table(['fact', 'value'], named)
  if (signed_text !== null) await output.line(`expected text, ${Buffer.byteLength(signed_text)} bytes:\n${signed_text}`)
  for (const { cause, certainty, message } of findings) await output.line(`${certainty}: ${cause}: ${message}`)
  if (next !== null) await output.line(`next: ${next}`)
}

function columnsOf(lines: readonly CheckedLine[]): readonly string[] {
  if (lines.some(({ signed }) => signed !== null)) return ['expected', 'signed', 'departs']
  return lines.some(({ word }) => word !== null) ? ['expected', 'word'] : ['expected']
}

function rowOf({ name, expected, signed, departs, word }: CheckedLine): readonly (string | null)[] {
  if (signed !== null) return [name, expected, signed, departs === null ? null : departureText(departs)]
  return word === null ? [name, expected] : [name, expected, word]
}
