import { PollLoop } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { addTerms, holdUnsearchable, type TermSource } from '../store/terms.ts'
import { foldLetters } from './fold-letters.ts'

/** Devices that it puts there at most each time; searches look at the others one by one. */
const deviceTermsPerLook = 2_000
/** Devices that one transaction puts there. */
const deviceTermsBatchMax = 100

/*
 * The index of devices by their letters. Adding a device, activating it and renaming it do not
 * touch the index: the device is not searchable then, and searches look at such devices one by one.
 * This loop makes them searchable, so many a second at most that devices do not notice it. After
 * an import, or the upgrade that brought the index, it takes its time, and searches are right
 * meanwhile.
 */

export type SearchTerms = {
  /** Makes all devices searchable now. */
  fill(): Promise<void>
  /** Polls every `deviceTermsEveryMs` from now on; to be called once. */
  startPolling(): void
  close(): Promise<void>
}

type SearchTermsOptions = Pick<ProvisioningOptions, 'database' | 'logger'>

export function createSearchTerms(options: SearchTermsOptions): SearchTerms {
  const loop: PollLoop = new PollLoop({
    look: () => fillSome(options, deviceTermsPerLook, () => loop.stopped),
    failed: (error) =>
      options.logger.warn({ err: error }, 'adding devices to the search failed; retrying'),
    pollMs: provisioningLimits.deviceTermsEveryMs,
  })
  return {
    fill: () => fillSome(options, Number.POSITIVE_INFINITY, () => false),
    startPolling: () => loop.startLater(),
    close: () => loop.stop(),
  }
}

async function fillSome(
  { database }: SearchTermsOptions,
  devicesMax: number,
  isStopped: () => boolean,
): Promise<void> {
  const rowsMax = deviceTermsBatchMax
  for (let filled = 0; filled < devicesMax && !isStopped(); filled += rowsMax) {
    const added = await database.transaction(async (transaction) => {
      const devices = await holdUnsearchable(transaction, rowsMax)
      if (devices.length > 0) await addTerms(transaction, devices, devices.map(searchedLetters))
      return devices.length
    })
    if (added < rowsMax) return
  }
}

/** No letters of a search reach from one line into the next, but those with a line break. */
function searchedLetters({ identity, name, description }: TermSource): string {
  return foldLetters([identity, name, description].join('\n'))
}
