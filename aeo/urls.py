"""The addresses of the public site. None has a final slash; addresses typed with one are redirected."""

from django.conf import settings
from django.urls import path, re_path

from aeo.articles import views as verdicts
from aeo.brands import views as brands
from aeo.checker import views as checker
from aeo.coverage import views as coverage
from aeo.datasets import views as datasets
from aeo.discovery import crawler_views as crawlers
from aeo.discovery import manifest_views as manifest
from aeo.documentation import views as documentation
from aeo.documentation.documents import INDEX
from aeo.feeds import views as feeds
from aeo.guides import views as guides
from aeo.itineraries import views as itineraries
from aeo.reference import airline_views as airlines
from aeo.reference import comparison_views as comparisons
from aeo.reference import views as pages
from aeo.reference.lists import LISTS
from aeo.scorecard import views as scorecard
from aeo.service import views as service
from aeo.timeline import views as timeline
from aeo.trips import views as trips
from aeo.world import views as world

OTHER_LANGUAGES = "|".join(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)

of_verdicts = [
    path("<str:model>/<str:airline>/<str:country>.json", verdicts.as_json),
    path("<str:model>/<str:airline>/<str:country>.png", verdicts.picture),
    path("<str:model>/<str:airline>/<str:country>", verdicts.page),
    path("<str:model>/<str:airline>/<str:country>/", verdicts.page),
]
"""A million pages, below `p/`."""

urlpatterns = [
    path("", checker.home),
    path("check", checker.check),
    *(path(f"suggest/{what}", checker.suggest, {"what": what}) for what in ("models", "airlines", "places")),
    path("itinerary", itineraries.itinerary),
    path("itinerary/card", itineraries.card),
    path("trip", trips.trip),
    path("card", trips.card),
    path("card/offline", trips.offline),
    path("card-worker.js", trips.worker),
    path("aeo-manifest.json", manifest.show),
    path("aeo-manifest.schema.json", manifest.schema),
    path("aeo-preview.json", manifest.preview),
    path("aeo-datasets.json", datasets.describe),
    path("datasets", datasets.index),
    path("datasets/changes.json", datasets.changes),
    path("datasets/latest/<str:name>.<slug:file_format>", datasets.newest_file),
    path("datasets/<str:version>/<str:name>.<slug:file_format>", datasets.file),
    path("feeds/rulesets.atom", feeds.rulesets),
    path("feeds/airlines/<str:code>.atom", feeds.airline),
    path("feeds/recalls/brands/<str:brand>.atom", feeds.recalls_of_brand),
    path("feeds/recalls/models/<str:model>.atom", feeds.recalls_of_model),
    path("feeds/effective-dates.ics", feeds.effective_dates),
    path("robots.txt", crawlers.robots),
    path("llms.txt", crawlers.llms),
    path("<slug:key>.txt", crawlers.indexnow_key),
    path("sitemap.xml", crawlers.sitemap_index),
    path("sitemaps/pages.xml", crawlers.sitemap_of_pages),
    path("sitemaps/references-<int:number>.xml", crawlers.sitemap_of_references),
    path("sitemaps/verdicts-<int:number>.xml", crawlers.sitemap_of_verdicts),
    path("developers", documentation.document),
    path("developers/", documentation.document),
    path("developers.md", documentation.markdown, {"name": INDEX}),
    path("developers/search", documentation.find),
    path("developers/<slug:name>.md", documentation.markdown),
    path("developers/<slug:name>", documentation.document),
    path("developers/<slug:name>/", documentation.document),
    re_path(rf"^(?:{OTHER_LANGUAGES})/developers(?P<rest>/.*|)$", documentation.without_language),
    path("guides", guides.index),
    path("guides/<str:slug>", guides.guide),
    path("guides/<str:slug>/", guides.guide),
    path("brands", brands.index),
    path("brands/<str:brand>", brands.hub),
    path("brands/<str:brand>/", brands.hub),
    path("airlines", airlines.airlines),
    path("airlines/", airlines.airlines),
    path("airlines.csv", airlines.as_csv),
    path("compare", comparisons.choose),
    path("compare/", comparisons.choose),
    path("compare/<str:codes>", comparisons.compare),
    path("compare/<str:codes>/", comparisons.compare),
    *(path(name, pages.index, {"name": name}) for name in LISTS),
    *(path(f"{name}/", pages.index, {"name": name}) for name in LISTS),
    *(path(name, service.plain, {"name": name}) for name in service.PLAIN),
    *(path(f"{name}/", service.plain, {"name": name}) for name in service.PLAIN),
    path("coverage", coverage.coverage),
    path("coverage/", coverage.coverage),
    path("scorecard", scorecard.scorecard),
    path("scorecard/", scorecard.scorecard),
    path("map", world.show),
    path("map/", world.show),
    path("map/<slug:layer>", world.show),
    path("map/<slug:layer>/", world.show),
    path("timeline", timeline.timeline),
    path("timeline/", timeline.timeline),
    path("rulesets", service.rulesets),
    path("rulesets/", service.rulesets),
    path("rulesets/<str:version>", service.ruleset),
    path("rulesets/<str:version>/", service.ruleset),
    path("status", service.status),
    path("status/", service.status),
    path("models/<str:name>", pages.model),
    path("models/<str:name>/", pages.model),
    path("airlines/<str:name>", pages.airline),
    path("airlines/<str:name>/", pages.airline),
    path("countries/<str:name>", pages.country),
    path("countries/<str:name>/", pages.country),
    path("recalls/<str:name>", pages.recall),
    path("recalls/<str:name>/", pages.recall),
]
