const nsPerMs = 1e6

/** Milliseconds of a clock that all processes of the machine share and nobody sets. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / nsPerMs
}
