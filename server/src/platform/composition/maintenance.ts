import { limits, type PeriodsByBusiness, PollLoop } from '../../foundation/kernel/index.ts'
import type { SolutionTests } from '../../scripts/solution-tests/index.ts'
import type { Platform } from '../platform.ts'

const usPerHour = 3_600_000_000

/** At the start, and then at times. */
export async function startUpkeep(
  platform: Platform,
  solutionTests: Pick<SolutionTests, 'sweep'>,
): Promise<{ stop(): void }> {
  // The positions of the log's consumers are known once all of them run.
  await maintain(platform, { log: false })
  await solutionTests.sweep()
  const loop = new PollLoop({
    async look() {
      void solutionTests.sweep()
      await maintain(platform, { log: true })
    },
    failed: (error) => platform.logger.warn({ err: error }, 'upkeep could not run'),
    pollMs: limits.retentionEveryMs,
  })
  loop.startLater()
  return loop
}

/** Creates partitions for coming values, and removes old data if the clock is trusted. */
export async function maintain(
  platform: Platform,
  { log }: { readonly log: boolean },
): Promise<void> {
  const { accounts, activity, assets, eventlog, hosts, provisioning } = platform
  const { keystore, tsdb, users } = platform
  const periods = await platform.upkeep.retention.periods()
  const connectors = await provisioning.connectors.retentions()
  await assets.ensurePartitions(platform.clock.nowUs())
  if (!(await platform.upkeep.mayRemove())) return
  await Promise.all([
    hosts.sweep(),
    accounts.sweep(periods.audit),
    accounts.quotas.sweep(),
    assets.removeOld({ ...periods.values, connectors }),
    platform.pipelines.removeOld(),
    provisioning.contents.sweep(periods.contents),
    removeContents(platform, periods.contents),
    provisioning.revocations.sweep(),
    activity.removeOld(periods.lines),
    platform.jobs.sweep(),
    keystore.sweep(),
    users.sweep(),
    platform.notifications.sweep(periods.notifications),
    platform.policies.sweep(),
    platform.reports.sweep(),
    platform.deletion.sweep(),
    tsdb.sweep(),
    ...(log ? [eventlog.removeOld(periods.log.instance)] : []),
  ])
}

/** Removes what solutions have kept for longer than their business may. */
async function removeContents(
  { clock, content, scripting }: Platform,
  { instance, businesses }: PeriodsByBusiness,
): Promise<void> {
  if (instance === undefined && businesses.size === 0) return
  for (const [solutionId, businessId] of await scripting.solutions.businesses()) {
    const hours = businesses.get(businessId) ?? instance
    if (hours === undefined) continue
    await content.removeOld(solutionId, clock.nowUs() - hours * usPerHour)
  }
}
