import { invariant } from './errors.ts'

/** Texts of the slots of an SQL text, by name: relations and literals, which parameters cannot express. */
export type Slots = Readonly<Record<string, string>>

const SLOT = /\{\{(\w+)\}\}/g

/**
 * Returns an SQL text with each `{{slot}}` filled in.
 * @param path names the text in errors
 * @throws     (a bug) a slot without a text, or a text without a slot
 */
export function fillSlots(path: string, text: string, slots: Slots): string {
  const used = new Set<string>()
  const filled = text.replaceAll(SLOT, (_, slot: string) => {
    const value = slots[slot]
    invariant(value !== undefined, `${path}: no text for {{${slot}}}`)
    used.add(slot)
    return value
  })
  const unused = Object.keys(slots).filter((slot) => !used.has(slot))
  invariant(unused.length === 0, `${path}: no slot for ${unused.join(', ')}`)
  return filled
}

/** Returns an SQL text with the words of the sets that it names, as in `status in ({{ENDED_STATUSES}})`; other slots stay. */
export function fillWords(text: string, sets: Readonly<Record<string, readonly (string | null)[]>>): string {
  return text.replaceAll(SLOT, (slot, name: string) => sets[name]?.map((word) => `'${word}'`).join(', ') ?? slot)
}
