export { float8Array, int8Array, textArray } from './arrays.ts'
export { type DatabaseOptions, openDatabase } from './open.ts'
export { connectionLost, lostRace, waitedTooLong } from './pool.ts'
export type { Database, Queryable, Statement, Transaction, Writer } from './statement.ts'
