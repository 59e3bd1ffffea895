import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type ComputedImpact, computeImpact } from '../operations/governance/impact/compute-impact.ts'
import type { ImpactRequest } from '../operations/governance/impact/impact-request.ts'
import { type AnyImpact, isVersionImpact } from '../pipelines/governance/impact/parse-impact.ts'
import { ServiceError } from '../primitives/errors.ts'
import { moveToOutput, writeOutput } from '../warehouse/export/output-file.ts'
import { renderChangeImpact } from './change-impact-report.ts'
import { renderImpactReport } from './impact-report.ts'
import { ImpactTickKeeper, type ImpactTicks } from './impact-ticks.ts'
import { shellWord } from './subject-facts.ts'

/**
 * Computes an impact and writes it to a folder: impact.json (the signed text), impact.html, and the data as levels.csv; of an
 * eligibility policy as markets.csv.
 * @throws {ServiceError} as computeImpact; VALIDATION_USAGE_INVALID where a file cannot be written
 */
export async function writeImpact(request: Omit<ImpactRequest, 'lines'>, folder: string): Promise<ComputedImpact> {
  const data = openData(folder)
  const keeper = new ImpactTickKeeper()
  try {
    const impact = await computeImpact({
      ...request,
      lines: (lines) => {
        data.write(lines)
        keeper.add(lines)
      },
    })
    const { document, text, impact_digest } = impact
    await data.finish('markets_sha256' in document ? 'markets.csv' : 'levels.csv')
    await writeOutput(join(folder, 'impact.json'), text, { option: 'out' })
    const shown = pageOf(document, impact_digest, keeper.result(), commandOf(request, document))
    await writeOutput(join(folder, 'impact.html'), shown, { option: 'out' })
    return impact
  } catch (error) {
    data.discard()
    throw error
  }
}

/** Returns the command that prints the same digest. */
function commandOf({ file, engine }: Pick<ImpactRequest, 'file' | 'engine'>, document: AnyImpact): string {
  const range = 'from' in document ? ` --from ${document.from} --to ${document.to}` : ''
  const by = engine === 'exact' ? '' : ` --engine ${engine}`
  return `tidemark governance impact ${shellWord(file)}${range} --as-of ${document.as_of}${by}`
}

function pageOf(document: AnyImpact, digest: string, ticks: ImpactTicks, command: string): string {
  return isVersionImpact(document)
    ? renderImpactReport(document, digest, ticks, command)
    : renderChangeImpact(document, digest, ticks, command)
}

/** Opens the data, which appears complete or not at all. */
function openData(folder: string) {
  const partial = join(folder, `data.${process.pid}.partial`)
  try {
    mkdirSync(folder, { recursive: true })
    const opened = openSync(partial, 'wx')
    let is_open = true
    const close = () => {
      if (is_open) closeSync(opened)
      is_open = false
    }
    return {
      write: (text: string) => void writeSync(opened, text),
      finish: (name: string) => {
        close()
        return moveToOutput(partial, join(folder, name), 'out')
      },
      discard: () => {
        close()
        rmSync(partial, { force: true })
      },
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const message = `out is ${folder} (${code}); allowed: a folder that can be written`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { out: folder }, error)
  }
}
