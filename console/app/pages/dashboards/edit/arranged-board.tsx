import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { DashboardPanel } from '../../../api/dashboards/dashboards.ts'
import { Icon } from '../../../components/icon.tsx'
import type { Period } from '../../../components/plot/intervals.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { byPlace, columns, type Place } from '../arranging.ts'
import styles from '../dashboards.module.css'
import { Panel, panelTitle } from '../panels/panel.tsx'
import { boardTexts } from '../texts.ts'
import type { BoardData } from '../use-board-data.ts'
import type { BoardEditing } from './use-board-draft.ts'

const texts = defineTexts({
  move: (name: string) => [`Move ${name}`, `${name} verschieben`],
  resize: (name: string) => [`Resize ${name}`, `Größe von ${name} ändern`],
  edit: (name: string) => [`Change ${name}`, `${name} ändern`],
  remove: (name: string) => [`Remove ${name}`, `${name} entfernen`],
  place: ({ column, row, width, height }: Place) => [
    `Column ${column + 1}, row ${row + 1}, ${width} wide, ${height} high`,
    `Spalte ${column + 1}, Zeile ${row + 1}, ${width} breit, ${height} hoch`,
  ],
})

type Props = {
  readonly editing: BoardEditing
  readonly data: BoardData
  readonly onEdit: (panel: DashboardPanel) => void
}

type Kind = 'move' | 'resize'

/** A drag: the panels as they were when it began, and where. */
type Drag = {
  readonly id: string
  readonly kind: Kind
  readonly from: DashboardPanel[]
  readonly x: number
  readonly y: number
  readonly columnPx: number
  readonly rowPx: number
}

const gapPx = 12

/** The panels of a dashboard on their grid, moved and resized by pointer and by keys. */
export function ArrangedBoard({ editing, data, onEdit }: Props) {
  const words = useTexts(boardTexts)
  const { panels, period = '24h' } = editing.draft
  const grid = useRef<HTMLDivElement>(null)
  const { said, handleProps } = useHandles(editing, grid)
  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <div ref={grid} className={`${styles.board} ${styles.arranged}`}>
        {panels.toSorted(byPlace).map((panel) => (
          <Panel key={panel.id} {...{ panel, data }} period={period as Period}>
            <Tools
              name={panelTitle(panel, data.signals, words)}
              move={handleProps(panel, 'move')}
              resize={handleProps(panel, 'resize')}
              onEdit={() => onEdit(panel)}
              onRemove={() => editing.remove(panel.id)}
            />
          </Panel>
        ))}
      </div>
    </>
  )
}

type Handle = ReturnType<ReturnType<typeof useHandles>['handleProps']>

type ToolsProps = {
  readonly name: string
  readonly move: Handle
  readonly resize: Handle
  readonly onEdit: () => void
  readonly onRemove: () => void
}

function Tools({ name, move, resize, onEdit, onRemove }: ToolsProps) {
  const t = useTexts(texts)
  const look = { variant: 'subtle', size: 'sm' } as const
  return (
    <>
      <ActionIcon {...look} className={styles.handle} aria-label={t.move(name)} {...move}>
        <span aria-hidden="true">✥</span>
      </ActionIcon>
      <ActionIcon {...look} aria-label={t.edit(name)} onClick={onEdit}>
        <Icon name="pen" size={14} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={t.remove(name)} onClick={onRemove}>
        <Icon name="bin" size={14} />
      </ActionIcon>
      <button type="button" className={styles.corner} aria-label={t.resize(name)} {...resize} />
    </>
  )
}

/** Moves and resizes panels, with a sentence about the place of the last that was. */
function useHandles(editing: BoardEditing, grid: RefObject<HTMLDivElement | null>) {
  const t = useTexts(texts)
  const { panels } = editing.draft
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  const put = (from: DashboardPanel[], panel: DashboardPanel, kind: Kind, [x, y]: Step) => {
    const place = moved(panel, kind, x, y)
    editing.arrange(from, panel.id, place)
    setSaid(t.place(place))
  }
  const handleProps = (panel: DashboardPanel, kind: Kind) => ({
    'data-held': drag?.id === panel.id && drag.kind === kind,
    onKeyDown: (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      put(panels, panel, kind, step)
    },
    onPointerDown: (event: PointerEvent) => {
      if (grid.current === null || event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const at = { x: event.pageX, y: event.pageY }
      setDrag({ id: panel.id, kind, from: panels, ...at, ...sizes(grid.current) })
    },
    onPointerMove: (event: PointerEvent) => {
      const before = drag?.from.find(({ id }) => id === drag.id)
      if (drag === undefined || before === undefined || drag.id !== panel.id) return
      const across = Math.round((event.pageX - drag.x) / drag.columnPx)
      const down = Math.round((event.pageY - drag.y) / drag.rowPx)
      put(drag.from, before, drag.kind, [across, down])
    },
    onPointerUp: () => setDrag(undefined),
    onPointerCancel: () => setDrag(undefined),
  })
  return { said, handleProps }
}

type Step = readonly [across: number, down: number]

const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function moved({ column, row, width, height }: Place, kind: Kind, x: number, y: number): Place {
  if (kind === 'resize') {
    const wide = Math.min(Math.max(width + x, 1), columns - column)
    return { column, row, width: wide, height: Math.max(height + y, 1) }
  }
  const right = Math.min(Math.max(column + x, 0), columns - width)
  return { column: right, row: Math.max(row + y, 0), width, height }
}

/** The distance from one column, and from one row, to the next. */
function sizes(grid: HTMLElement) {
  const rowPx = Number.parseFloat(getComputedStyle(grid).gridAutoRows) + gapPx
  return { columnPx: (grid.clientWidth + gapPx) / columns, rowPx }
}
