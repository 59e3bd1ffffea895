import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClarityRubric, parseClarityRubric } from '../../pipelines/rating/clarity-rubric.ts'
import { parseVenueFacts, type VenueFacts } from '../../pipelines/rating/venue-facts.ts'
import { readInput } from '../review/read-input.ts'

/** Inputs of a rating beside the measurements. */
export type Scoring = { readonly facts: VenueFacts; readonly rubric: ClarityRubric }

/** Files shipped with the program; a home may name its own. */
export type ScoringFiles = { readonly facts: string | null; readonly rubric: string | null }

const PUBLISHED = { facts: 'venue-facts-1.yaml', rubric: 'clarity-rubric-1.yaml' } as const

const OWN_FACTS = 'facts.yaml'

/** Returns the file in which a home may keep its own facts, in place of the published ones. */
export function homeFactsFile(home: string): string {
  return join(home, OWN_FACTS)
}

/** Chooses the files that a home rates by: those named, else the home's own facts, else the published ones. */
export function scoringOfHome(home: string, named: Partial<ScoringFiles> = {}): ScoringFiles {
  const own = homeFactsFile(home)
  return { facts: named.facts ?? (existsSync(own) ? own : null), rubric: named.rubric ?? null }
}

/**
 * Reads facts and rubric.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_DEFINITION_INVALID
 */
export async function loadScoring(files: ScoringFiles = { facts: null, rubric: null }): Promise<Scoring> {
  const facts = files.facts ?? publishedPath('facts')
  const rubric = files.rubric ?? publishedPath('rubric')
  return {
    facts: parseVenueFacts(await readInput(facts), facts),
    rubric: parseClarityRubric(await readInput(rubric), rubric),
  }
}

function publishedPath(kind: keyof typeof PUBLISHED): string {
  return fileURLToPath(new URL(`../../datasets/rating/${PUBLISHED[kind]}`, import.meta.url))
}
