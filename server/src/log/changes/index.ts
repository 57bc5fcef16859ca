export { type Changes, createChanges } from './changes.ts'
export { createLiveViews, type LiveViews } from './live-views.ts'
export { type ChangeTopic, changeTopics, topicsInGroups } from './topics.ts'
