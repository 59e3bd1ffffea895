import { useEffect, useRef, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Proof } from '../../../protocol/resources/proof.ts'
import type { Query } from '../../data/api-client.ts'
import { liveApi } from '../../data/live.ts'
import { html } from '../../html.ts'
import { FILES, SEEN } from '../browser-log.ts'
import type { Verdict } from '../verdict.ts'
import { verifyRecord } from '../verify-record.ts'
import { CheckList } from './check-list.ts'

type InclusionProps = {
  /** Path of the proof. */
  readonly path: string
  readonly query?: Query
  /** Record as the page shows it. */
  readonly record: object
  /** Fields that may have got another value since publication. */
  readonly later?: readonly string[]
  /** Name of the record, for who hears the button alone. */
  readonly subject: string
}

/** Button that verifies in this browser that the log has a record as the page shows it, with the result below. */
export default function InclusionCheck({ path, query = {}, record, later = [], subject }: InclusionProps) {
  const [verdict, setVerdict] = useState<Verdict | 'running' | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    setVerdict(null)
    return () => running.current?.abort()
  }, [path, JSON.stringify(query)])
  const verify = async () => {
    running.current?.abort()
    const ending = new AbortController()
    running.current = ending
    setVerdict('running')
    const { signal } = ending
    // A proof is of what was published, whatever instant the page shows.
    const proof = async () => (await liveApi(null).get<Static<typeof Proof>>(path, query, signal)).data
    const found = await verifyRecord({ files: FILES, seen: SEEN, signal, proof }, { record, later })
    if (!signal.aborted) setVerdict(found)
  }
  const is_running = verdict === 'running'
  return html`<div class="inclusion">
    <button type="button" onClick=${verify} aria-disabled=${String(is_running)}>
      ${is_running ? 'Verifying …' : 'Verify inclusion'}<span class="sr"> of ${subject} in the log</span>
    </button>
    ${verdict !== null && verdict !== 'running' && html`<${CheckList} verdict=${verdict} />`}
  </div>`
}
