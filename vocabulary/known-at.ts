/** Fields of an answer that say what was known of a record at the instant, not what was published, by kind in the log. */
export const FIELDS_KNOWN_AT = {
  index_observation: ['quality_state', 'reason_codes'],
  index_version: ['effective_to', 'link_factor', 'link_at', 'level_at_link'],
} as const satisfies Readonly<Record<string, readonly string[]>>
