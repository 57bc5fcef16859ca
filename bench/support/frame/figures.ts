import { availableParallelism, cpus } from 'node:os'

/** The middle one, or the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** Median, with the least and the most behind it. */
export function spread(numbers: readonly number[], format: (one: number) => string): string {
  const least = format(Math.min(...numbers))
  return `${format(median(numbers))} (${least}-${format(Math.max(...numbers))})`
}

/** The paired quotients of two sides that ran in the same rounds. */
export function ratios(side: readonly number[], peer: readonly number[]): number[] {
  return side.map((one, round) => one / (peer[round] ?? Number.NaN))
}

export const whole = (one: number) => Math.round(one).toLocaleString('en')
export const twoPlaces = (one: number) => one.toFixed(2)
export const onePlace = (one: number) => one.toFixed(1)

/** Lines whose cells stand under one another, the first column to the left. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return rows.map(line).join('\n')
}

export function machine(): string {
  const [cpu] = cpus()
  return `Node ${process.version}, ${availableParallelism()} cores, ${cpu?.model ?? 'unknown CPU'}`
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
