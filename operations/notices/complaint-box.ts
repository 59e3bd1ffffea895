import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FiledComplaint } from '../../pipelines/notices/complaint.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'

/** Complaints that wait for a moderator: files of the home, which only its owner may read. */
export type ComplaintBox = {
  /** @throws {ServiceError} SERVICE_UNAVAILABLE: too many wait */
  file(complaint: FiledComplaint): Promise<void>
  /** Returns those that wait, oldest first. */
  list(): Promise<readonly FiledComplaint[]>
  /** @throws {ServiceError} GOVERNANCE_NOT_FOUND */
  read(complaint_id: string): Promise<FiledComplaint>
  /** Marks a complaint as moderated: the file with its contact is kept, but no longer waits. */
  close(complaint_id: string): Promise<void>
}

/** Opens the box of a home. @param waiting_max most complaints that wait; more are refused */
export function openComplaintBox(home: string, waiting_max: number): ComplaintBox {
  const folder = join(home, 'complaints')
  const closed = join(folder, 'moderated')
  const fileOf = (complaint_id: string) => join(folder, `${complaint_id}.json`)
  const names = async () => (await entriesOf(folder)).filter((name) => name.endsWith('.json'))
  return {
    async file(complaint) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const waiting = (await names()).length
      if (waiting >= waiting_max) throw tooMany(waiting)
      const file = fileOf(complaint.complaint_id)
      await writeFile(`${file}.part`, JSON.stringify(complaint), { mode: 0o600, flush: true, flag: 'wx' })
      await rename(`${file}.part`, file)
    },
    async list() {
      const read = await Promise.all((await names()).map((name) => readComplaint(join(folder, name))))
      return read.flatMap((one) => one ?? []).sort((a, b) => (a.filed_at < b.filed_at ? -1 : 1))
    },
    async read(complaint_id) {
      const is_id = /^cmp_[A-Za-z0-9]{1,64}$/.test(complaint_id)
      const found = is_id
        ? ((await readComplaint(fileOf(complaint_id))) ?? (await readComplaint(join(closed, `${complaint_id}.json`))))
        : null
      if (found !== null) return found
      throw notAllowed('GOVERNANCE_NOT_FOUND', 'complaint_id', complaint_id, 'a complaint that was filed here')
    },
    async close(complaint_id) {
      await mkdir(closed, { recursive: true, mode: 0o700 })
      await rename(fileOf(complaint_id), join(closed, `${complaint_id}.json`)).catch(ignoreAbsent)
      await rm(`${fileOf(complaint_id)}.part`, { force: true })
    },
  }
}

function tooMany(waiting: number): ServiceError {
  const message = `${waiting} complaints wait for a moderator, and no more are accepted; try again later`
  return new ServiceError('SERVICE_UNAVAILABLE', message, { phase: 'complaints_full' })
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function readComplaint(file: string): Promise<FiledComplaint | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (JSON.parse(text) as FiledComplaint)
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
