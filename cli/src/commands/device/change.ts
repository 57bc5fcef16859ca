import type { Answer } from '../../call.ts'
import { defineCommand, exitCodes, UsageError } from '../../command.ts'
import { formatCount } from '../../output/status-line.ts'
import { connectorOption } from '../options.ts'
import { toFilter } from './options.ts'

const verbs = { lock: 'Lock', unlock: 'Unlock', reprovision: 'Re-provision', delete: 'Delete' }
const changes = Object.keys(verbs) as (keyof typeof verbs)[]

export const deviceChange = defineCommand({
  options: {
    connector: connectorOption,
    lock: { meaning: 'Lock them and close their connections.', flag: true },
    unlock: { meaning: 'Unlock those that are locked.', flag: true },
    reprovision: { meaning: 'Order provisioned devices to activate again.', flag: true },
    delete: { meaning: 'Delete them with their credentials and values.', flag: true },
    identity: { meaning: 'Only identities that match, such as ^pump-.' },
    status: { meaning: 'Only this status, such as provisioned.' },
    tag: { meaning: 'Only those with a tag: <name> or <name>=<value>.' },
    online: { meaning: 'Only those that are online: yes, or no for the others.' },
    address: { meaning: 'Only those last seen at an address or in a CIDR range.' },
    all: { meaning: 'All identities, in place of a filter.', flag: true },
    'dry-run': { meaning: 'Print the number of changes without making them.', flag: true },
  },
  example: 'npx millrace device change --connector demo --lock --tag site=lab --dry-run',
  routes: ['changeIdentities', 'listIdentities'],
  async run({ connector, 'dry-run': dryRun, all, ...given }, { call, out, confirm, signal }) {
    const [change, ...others] = changes.filter((name) => given[name])
    if (change === undefined || others.length > 0) {
      throw new UsageError('one of --lock, --unlock, --reprovision and --delete is needed')
    }
    const filter = toFilter(given)
    if (all === Object.keys(filter).length > 0) {
      throw new UsageError('either --all or a filter is needed')
    }
    const query = { connector, limit: 1, count: true, ...filter }
    const { matching = 0 } = await call('listIdentities', query)
    const question = `${verbs[change]} ${formatCount(matching)} devices of ${connector}?`
    if (!dryRun) await confirm(question)
    const sum = { changed: 0, skipped: 0 }
    const status = out.status(() => ({
      share: (sum.changed + sum.skipped) / Math.max(1, matching),
      text: formatChange(sum),
    }))
    try {
      let after: string | undefined = ''
      while (after !== undefined && !signal.aborted) {
        const page = { connector, change, filter, after, dry_run: dryRun }
        const answer: Answer<'changeIdentities'> = await call('changeIdentities', page)
        sum.changed += answer.changed
        sum.skipped += answer.skipped
        after = answer.next
      }
    } catch (error) {
      out.note(`millrace: ${formatChange(sum)} before this failed`)
      throw error
    } finally {
      status.end()
    }
    const end = dryRun ? '; dry run, nothing was changed' : ''
    out.show(sum, () => [`${formatChange(sum)}${end}`])
    return signal.aborted ? exitCodes.interrupted : exitCodes.done
  },
})

const formatChange = ({ changed, skipped }: { changed: number; skipped: number }) =>
  `${formatCount(changed)} changed, ${formatCount(skipped)} left as they are`
