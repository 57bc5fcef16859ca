import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Client } from '../../api/client.ts'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Age } from '../age.tsx'
import { Action } from '../controls/action.tsx'
import { Confirm } from '../dialogs/confirm.tsx'
import { Faint } from '../line.tsx'
import { NextStep } from '../next-step.tsx'
import { Pane } from '../pane.tsx'
import { Table } from '../table/table.tsx'
import { type CompareProps, CompareVersions } from './compare-versions.tsx'
import { useAuthor, type Version } from './version.ts'

const texts = defineTexts({
  title: ['Versions', 'Versionen'],
  changed: ['What it changed', 'Was sie geändert hat'],
  saved: ['Saved', 'Gespeichert'],
  unknown: [
    'The version before is not kept any more.',
    'Die Version davor wird nicht mehr aufbewahrt.',
  ],
  nothing: ['nothing', 'nichts'],
  restore: ['Restore', 'Wiederherstellen'],
  restoreOf: (version: number) => [
    `Restore version ${version}`,
    `Version ${version} wiederherstellen`,
  ],
  sure: (version: number) => [
    `Restore version ${version}?`,
    `Version ${version} wiederherstellen?`,
  ],
  about: [
    'It is saved again as a new version. The one in use stays in the list.',
    'Sie wird als neue Version gespeichert. Die jetzige bleibt in der Liste.',
  ],
  current: ['in use', 'in Gebrauch'],
})

type Props = {
  readonly query: UseQueryResult<readonly Version[]>
  /** The number of the version in use. */
  readonly current: number
  /** Shown where there is no version yet. */
  readonly none: string
  readonly compare: Omit<CompareProps, 'versions'>
  /** Undefined where the role may not restore. */
  readonly restore: ((client: Client, version: number) => Promise<unknown>) | undefined
  /** Further effects of a restoration. */
  readonly children?: ReactNode
}

/** The versions of what is saved as a whole: what each changed, two compared, the way back. */
export function VersionsPane({ query, current, none, compare, restore, children }: Props) {
  const t = useTexts(texts)
  const [chosen, setChosen] = useState<number>()
  const heads = [t.version, t.changed, ...(restore === undefined ? [] : [t.actions]), t.saved]
  return (
    <Pane title={t.title} query={query}>
      {(found) => (
        <>
          {found.length === 0 && <NextStep>{none}</NextStep>}
          {found.length > 1 && <CompareVersions key={current} versions={found} {...compare} />}
          {found.length > 0 && (
            <Table heads={heads} narrow="stacked">
              {found.map((one) => (
                <Row
                  key={one.version}
                  version={one}
                  isCurrent={one.version === current}
                  onRestore={restore && (() => setChosen(one.version))}
                />
              ))}
            </Table>
          )}
          {chosen !== undefined && restore !== undefined && (
            <Restore version={chosen} restore={restore} onClose={() => setChosen(undefined)}>
              {t.about} {children}
            </Restore>
          )}
        </>
      )}
    </Pane>
  )
}

type RowProps = {
  readonly version: Version
  readonly isCurrent: boolean
  readonly onRestore: (() => void) | undefined
}

function Row({ version: one, isCurrent, onRestore }: RowProps) {
  const t = useTexts(texts)
  const author = useAuthor()
  const { version, changes, savedAt } = one
  return (
    <tr>
      <td>
        {version} {isCurrent && <Faint inline>{t.current}</Faint>}
      </td>
      <td data-label={t.changed}>
        {changes === null ? t.unknown : changes.join('; ') || t.nothing}
        <Faint>{author(one)}</Faint>
      </td>
      {onRestore !== undefined && (
        <td>
          {!isCurrent && (
            <Action text={t.restore} small aria-label={t.restoreOf(version)} onClick={onRestore} />
          )}
        </td>
      )}
      <td data-label={t.saved}>
        <Age at={savedAt} />
      </td>
    </tr>
  )
}

type RestoreProps = {
  readonly version: number
  readonly restore: (client: Client, version: number) => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

function Restore({ version, restore, onClose, children }: RestoreProps) {
  const t = useTexts(texts)
  const { isBusy, error, run } = useChange<number>(restore)
  return (
    <Confirm
      opened
      title={t.sure(version)}
      action={t.restore}
      onConfirm={() => run(version, onClose)}
      onCancel={onClose}
      {...{ isBusy, error }}
    >
      {children}
    </Confirm>
  )
}
