import { getUsage, type SolutionUse } from '../../../api/solutions.ts'
import { Badge } from '../../../components/badge.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import { usageTexts } from './usage-texts.ts'

/** The use that a solution makes of its own limits. */
export function UsagePane({ solution }: { readonly solution: string }) {
  const t = useTexts(usageTexts)
  const usage = useRead('usage', getUsage, [solution])
  return (
    <Pane title={t.title} query={usage}>
      {(all) => (
        <Table heads={[t.what, t.used, t.max, t.share]} narrow="stacked">
          {all.map((one) => (
            <Row key={one.limit} use={one} />
          ))}
        </Table>
      )}
    </Pane>
  )
}

/** The share of a limit from which it is marked. */
const shareWarned = 0.8

function Row({ use: { limit, used, max } }: { readonly use: SolutionUse }) {
  const t = useTexts(usageTexts)
  const language = useLanguage()
  const known = Object.hasOwn(t, limit) ? t[limit as 'scriptsMax'] : limit
  const shown = (count: number) => count.toLocaleString(language)
  const share = used / max
  const percent = share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 0 })
  return (
    <tr>
      <td>{known}</td>
      <td data-label={t.used}>{shown(used)}</td>
      <td data-label={t.max}>{shown(max)}</td>
      <td data-label={t.share}>
        {share < shareWarned ? (
          <Faint inline>{percent}</Faint>
        ) : (
          <Badge tone={share < 1 ? 'care' : 'bad'} icon="warning" text={percent} />
        )}
      </td>
    </tr>
  )
}
