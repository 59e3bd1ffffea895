import type { ChangeImpact } from '../pipelines/governance/impact/change-document.ts'
import { changeSections, eligibilitySections, endSections } from './change-impact-tables.ts'
import type { ImpactTicks } from './impact-ticks.ts'
import { type Markup, markup } from './markup.ts'
import { count } from './number-text.ts'
import { type Fact, type Page, renderPage } from './page.ts'
import { REPLAY_FOOTER } from './replay-report.ts'
import { commandMarkup } from './subject-facts.ts'

/** Impact of a change that is not a version, as one self-contained HTML page: the same input gives the same bytes. */
export function renderChangeImpact(document: ChangeImpact, digest: string, data: ImpactTicks, command: string): string {
  return renderPage({
    title: `${document.target_id}: impact of a change`,
    kind: 'Impact of a change',
    heading: `${document.target_id}: ${headingOf(document)}`,
    about: null,
    facts: factsOf(document, digest, command),
    figures: figuresOf(document),
    verdict: verdictOf(document),
    sections: sectionsOf(document, data),
    footer: REPLAY_FOOTER,
  })
}

function headingOf(document: ChangeImpact): string {
  if (document.kind === 'methodology') return `${document.version_before ?? 'new'} to ${document.version_after}`
  if (document.kind === 'eligibility_policy')
    return `version ${document.version_before ?? 'none'} to ${document.version_after}`
  return `${document.status_before} to ${document.status_after}`
}

function factsOf(document: ChangeImpact, digest: string, command: string): readonly Fact[] {
  const hash = (text: string | null): string | Markup =>
    text === null ? 'none' : markup`<span class="hash">${text}</span>`
  const data =
    'markets_sha256' in document
      ? { name: 'Digest of markets.csv', value: hash(`sha256:${document.markets_sha256}`) }
      : { name: 'Digest of levels.csv', value: hash(`sha256:${document.levels_sha256}`) }
  return [
    { name: 'Change', value: hash(document.change_id) },
    ...('from' in document
      ? [{ name: 'Look-back window', value: `${document.from} to ${document.to}, end exclusive` }]
      : []),
    { name: 'As known at', value: document.as_of },
    { name: 'Base', value: hash(document.base_hash) },
    { name: 'Content', value: hash(document.content_hash) },
    { name: 'Calculation', value: document.engine },
    { name: 'Digest', value: hash(`sha256:${digest}`) },
    data,
    { name: 'Reproduce', value: commandMarkup(command) },
  ]
}

function figuresOf(document: ChangeImpact): Page['figures'] {
  const change_class = { value: document.change_class, name: 'class of the change' }
  if (document.kind === 'methodology') {
    const { indexes_using, classes, not_computed } = document
    return [
      change_class,
      { value: count(indexes_using), name: 'indexes use it' },
      { value: count(classes.material), name: 'with a material difference' },
      { value: count(not_computed.length), name: 'that it cannot compute' },
    ]
  }
  if (document.kind === 'eligibility_policy') {
    const { markets, indexes_selecting } = document
    return [
      change_class,
      { value: count(markets.no_longer_eligible), name: 'markets no longer eligible' },
      { value: count(markets.newly_eligible), name: 'markets newly eligible' },
      { value: count(indexes_selecting), name: 'indexes select by it' },
    ]
  }
  const { indexes, market_ids } = document.dependents
  return [
    change_class,
    { value: count(market_ids.length), name: 'markets name the index' },
    { value: count(indexes.length), name: 'indexes read the same outcomes' },
  ]
}

function verdictOf(document: ChangeImpact): Page['verdict'] {
  if (document.kind === 'methodology') {
    const { classes, not_computed } = document
    const alarm = classes.material > 0 || not_computed.length > 0
    const text = alarm
      ? 'Levels of some indexes would differ by restate.bp or more, or have none.'
      : 'No index has a level that would differ by restate.bp or more.'
    return { text, alarm }
  }
  if (document.kind === 'eligibility_policy') {
    const lost = document.indexes.some((one) => one.no_longer_eligible.length > 0)
    const text = lost
      ? 'Some constituents of indexes would no longer be eligible.'
      : 'Every constituent that is eligible stays so.'
    return { text, alarm: lost }
  }
  const { status_after, substitute, final_value } = document
  if (final_value === null) return { text: `The index would be ${status_after}.`, alarm: status_after !== 'active' }
  const named = substitute === null ? 'No substitute is named.' : `The substitute is ${substitute.index_id}.`
  return { text: `The index would end. ${named}`, alarm: substitute === null }
}

function sectionsOf(document: ChangeImpact, data: ImpactTicks): readonly (Markup | null)[] {
  if (document.kind === 'methodology') return changeSections(document)
  if (document.kind === 'eligibility_policy') return eligibilitySections(document)
  return endSections(document, data)
}
