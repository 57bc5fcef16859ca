import { type Channel, listChannels } from '../../../api/notifications.ts'
import { Badge } from '../../../components/badge.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import { moment } from '../../../ui/words.ts'
import { sendTexts } from './texts.ts'

/** The provider of each channel of a solution, and what is wrong with it. */
export function ChannelsPane({ solution }: { readonly solution: string }) {
  const t = useTexts(sendTexts)
  const channels = useRead('channels', listChannels, [solution])
  return (
    <Pane title={t.channels} query={channels}>
      {(all) => (
        <Table heads={[t.channel, t.provider, t.rate, t.state]} narrow="stacked">
          {all.map((one) => (
            <Row key={one.channel} channel={one} />
          ))}
        </Table>
      )}
    </Pane>
  )
}

function Row({ channel }: { readonly channel: Channel }) {
  const t = useTexts(sendTexts)
  const language = useLanguage()
  const { channel: name, provider, rate_per_second: rate, paused_until: pause } = channel
  const { fault, pause_reason: reason } = channel
  const troubles = [fault, pause === null ? null : t.paused(moment(pause)), pause && reason]
  const words = troubles.filter((one) => typeof one === 'string')
  return (
    <tr>
      <td>{name}</td>
      <td data-label={t.provider}>{provider}</td>
      <td data-label={t.rate}>
        {rate === null ? t.noRate : t.perSecond(rate.toLocaleString(language))}
      </td>
      <td>
        <Line>
          <Badge
            tone={words.length === 0 ? 'good' : 'care'}
            icon={words.length === 0 ? 'check' : 'warning'}
            text={words[0] ?? t.works}
          />
          {words.length > 1 && <Faint inline>{words.slice(1).join(' ')}</Faint>}
        </Line>
      </td>
    </tr>
  )
}
