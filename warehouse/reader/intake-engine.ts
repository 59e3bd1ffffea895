import { type Connection, connect, openInstance } from '../duckdb/memory-database.ts'

/** DuckDB that loads the reader's memory: whole tables once at the start, then the few rows of each new commit. */
export type IntakeEngine = {
  /** Opens a connection for one table; a connection runs one query at a time. */
  connect(): Promise<Connection>
  close(): void
}

/** Opens the engine; queries run on its own threads, and the rows they return are bounded by what memory keeps. */
export async function openIntakeEngine(): Promise<IntakeEngine> {
  const instance = await openInstance(':memory:', { threads: '2', memory_limit: '1GB' })
  const connections: Connection[] = []
  return {
    async connect() {
      const connection = await connect(instance)
      connections.push(connection)
      return connection
    },
    close() {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}
