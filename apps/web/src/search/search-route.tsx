import { getRouteApi } from "@tanstack/react-router";
import { SearchScreen } from "./search-screen.tsx";

const searchRoute = getRouteApi("/search");

/** The search that the URL says. */
export function SearchRoute() {
  return <SearchScreen state={searchRoute.useSearch()} />;
}
