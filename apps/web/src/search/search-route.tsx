import { searchRoute } from "../app/router.tsx";
import { SearchScreen } from "./search-screen.tsx";

/** The search that the URL says. */
export function SearchRoute() {
  return <SearchScreen state={searchRoute.useSearch()} />;
}
