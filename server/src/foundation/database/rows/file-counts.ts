import type { Queryable, Transaction } from '../statement.ts'

/** The quota of an owner of files. */
export type FileQuota = { readonly filesMax: number; readonly bytesMax: number }

/** Names of two tables: files with `solution_id` and `bytes`, and the sums of each owner. */
type Tables = { readonly files: string; readonly counts: string }

export type FileCounts = {
  /** Changes of one owner's files go one after another from here on, so that its sums are right. */
  hold(transaction: Transaction, owner: string): Promise<void>
  /** Adds to the sums; negative numbers take away. @returns whether they are within the quota */
  add(
    transaction: Transaction,
    owner: string,
    more: { readonly files: number; readonly bytes: number },
    quota?: FileQuota,
  ): Promise<boolean>
  /** Sums up anew. @returns whether the sums are within the quota */
  recount(transaction: Transaction, owner: string, quota: FileQuota): Promise<boolean>
  /** Reads the sums of an owner. */
  read(queryable: Queryable, owner: string): Promise<FileSums>
  /** Removes all files of an owner, with its sums. */
  remove(transaction: Transaction, owner: string): Promise<void>
}

export type FileSums = { readonly files: number; readonly bytes: number }

/** Makes the statements that count files; the names of tables are the caller's own. */
export function createFileCounts({ files, counts }: Tables): FileCounts {
  return {
    async hold(transaction, owner) {
      await transaction.run(
        `insert into ${counts} (solution_id) values ($1) on conflict do nothing`,
        [owner],
      )
      await transaction.one(`select files from ${counts} where solution_id = $1 for update`, [
        owner,
      ])
    },
    async add(transaction, owner, more, quota = unbounded) {
      const sums = await transaction.one<FileSums>(
        `update ${counts} set files = files + $2, bytes = bytes + $3
         where solution_id = $1 returning files, bytes`,
        [owner, more.files, more.bytes],
      )
      return isWithin(sums, quota)
    },
    async recount(transaction, owner, quota) {
      const sums = await transaction.one<FileSums>(
        `update ${counts} set (files, bytes) = (
           select count(*), coalesce(sum(bytes), 0) from ${files} where solution_id = $1)
         where solution_id = $1 returning files, bytes`,
        [owner],
      )
      return isWithin(sums, quota)
    },
    async read(queryable, owner) {
      const text = `select files, bytes from ${counts} where solution_id = $1`
      return (await queryable.one<FileSums>(text, [owner])) ?? { files: 0, bytes: 0 }
    },
    async remove(transaction, owner) {
      await transaction.run(`delete from ${files} where solution_id = $1`, [owner])
      await transaction.run(`delete from ${counts} where solution_id = $1`, [owner])
    },
  }
}

const unbounded = { filesMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER }

function isWithin(sums: FileSums | undefined, { filesMax, bytesMax }: FileQuota): boolean {
  return sums !== undefined && sums.files <= filesMax && sums.bytes <= bytesMax
}
