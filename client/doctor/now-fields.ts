/** Fields that depend on the instant of the question; no check compares them between two instants. docs/doctor.md lists them. */
export const NOW_FIELDS: Readonly<Record<string, string>> = {
  freshness_ms: 'age of a price at the instant of the answer',
  request_id: 'id of the request',
  'meta.published_at': 'instant of the answer',
  'meta.as_of': 'instant asked for',
  'meta.stale': 'whether the value was older than meta.max_age_ms at the instant of the answer',
  'meta.stale_since': 'instant from which it was',
  'page.next_cursor': 'opaque; names the instant of its first page',
  server_time: 'clock of the service',
  server_time_ms: 'clock of the service',
}
