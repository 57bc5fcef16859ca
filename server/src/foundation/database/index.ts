export { float8Array, int2Array, int8Array, textArray } from './arrays.ts'
export { verifyBackup, verifyBackupFile } from './backup/verify.ts'
export type { BackupProgress, KeyFile } from './backup/write.ts'
export { connectionLost, isDuplicate, lostRace, waitedTooLong } from './connection/pool.ts'
export { endEngineNow, newDirectory, refuseUsed } from './embedded/index.ts'
export type { HintListener, Hints, HintTopic } from './hints.ts'
export { databaseLimits } from './limits.ts'
export {
  backUpDatabase,
  type Database,
  type DatabaseOptions,
  migrateDatabase,
  openDatabase,
  openTemporaryDatabase,
  restoreDatabase,
} from './open.ts'
export { type AgreedSetting, registerProcess } from './registered-process.ts'
export {
  type BusinessRows,
  type DependantRows,
  isOfPart,
  partValue,
  readBlocks,
  readDependants,
  rowsByIndex,
  rowsByScan,
  rowsWhere,
} from './rows/business-rows.ts'
export { createFileCounts, type FileQuota, type FileSums } from './rows/file-counts.ts'
export {
  type ComparedVersion,
  type VersionNumber,
  Versions,
} from './rows/versions.ts'
export {
  databaseClock,
  type Queryable,
  type Statement,
  searchPattern,
  type Transaction,
  type Writer,
} from './statement.ts'
export { mayNotCreate } from './temporary-databases.ts'
