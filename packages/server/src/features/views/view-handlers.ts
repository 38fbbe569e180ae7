import { handleGetView, handleListViews } from './read-views.ts'
import { handleCreateView, handleDeleteView, handleUpdateView } from './write-views.ts'

export const viewHandlers = {
  'views.list': handleListViews,
  'views.get': handleGetView,
  'views.create': handleCreateView,
  'views.update': handleUpdateView,
  'views.delete': handleDeleteView,
} as const
